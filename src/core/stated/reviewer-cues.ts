/** By what signs a sentence names who reviews the work. Weights as in `user-cues.ts`. */
import type { Cue, UserKind } from './kinds.ts';

const cue = (kind: UserKind, weight: number, sign: RegExp): Cue<UserKind> => ({ kind, weight, sign });

/** A person, a team or a role that can look at something. */
const who =
  "(?:@[\\w-]+|(?:[Tt]he )?agent[ :]@?[\\w-]+|[Tt]he [\\w-]+(?: [\\w-]+)? team|(?:my|our|the) (?:lead|boss|manager|maintainers?|owner|architect|colleague|reviewers?|security|qa|team|cto)|(?:someone|somebody)(?: (?:from|of|at|in) (?:the |our )?[\\w-]+)?|(?:my|our) [a-z-]+ [a-z-]+(?= signs)|a (?:human|person|colleague|maintainer)|me|myself|us|(?:my|our) [a-z-]+ [A-Z][\\w'’-]+|[A-Z][\\w'’-]+(?: (?:from|of|at|in) (?:the |our )?[\\w-]+)?(?: [A-Z][\\w'’-]+)?)";
const looks =
  '(?:review|approve|sign(?:s|ed)? (?:every|each|all)|sign(?:s|ed)? (?:it |this |that )?off|look(?:s|ing)? (?:at|over|through)|check|go(?:es)? (?:over|through)|read|accept|vet|bless|ok|inspect|audit|(?:take|taking|took|have|has|had) (?:a|another|the (?:final|last)) look|(?:takes|having) (?:a|another|the (?:final|last)) look)(?:s|es|d|ed|ing)?';
const may =
  '(?:(?:to|be|will|should|must|can|could|has to|have to|needs to|is|are|is going to|gets to|wants to|does the|please|then|finally|also|for) )*';

/** Somebody wants to see the change with their own eyes before it goes anywhere. */
export const ownLook =
  /\b(?:i|we)(?:['’]d| would|['’]ll| will)?(?: still| also)? (?:want|like|need|have|insist)(?: to| on)? (?:see|seeing|look|check|review|read|approve)\w*\b.{0,40}\b(?:diff|code|pr|pull request|patch|changes?|it|this|result|everything|commits?)\b.{0,40}(?:\bmyself\b|\b(?:before|first|prior to)\b.{0,40}\b(?:merge|ship|deploy|release|push|commit|land|go|publish)\w*)/i;

export const reviewer: readonly Cue<UserKind>[] = [
  cue('reviewer', 6, ownLook),
  cue(
    'reviewer',
    4,
    /\b(?:until|before|unless) [A-Z][\w'’-]+ (?:said|says|has said|gave|gives|agreed|agrees|nods|nodded|okays|confirmed|confirms)\b|\b[Ww]ait for (?:my|our|the|[A-Z]\w+['’]s?) (?:ok(?:ay)?|go|go-ahead|approval|nod|yes|word|sign)\b|\b[Mm]erg(?:e|ing) rights\b|\bpair of eyes\b/,
  ),
  cue(
    'reviewer',
    4,
    /\brequest(?:s|ed|ing)? (?:a )?(?:code )?review (?:from|of|by)\b|\bas (?:the )?(?:code )?(?:reviewer|approver)\b|\b(?:i|we)(?:['’]ll| will) (?:code-?)?review\b|\b(?:he|she|they) (?:must|has to|have to|should|needs? to) (?:say yes|agree|approve|sign|ok|review|look)\b|\b(?:has|have|had|holds?) (?:a |the )?veto\b|\b(?:approve|approval|ok|sign-?off|look|review) (?:of|lies with|by|from) \S|\bbefore (?:@?[A-Z]\w+|the \w+ team) (?:had|has|took|takes|saw|sees) \S|\bloop in\b|\bseen by\b|\b(?:get|needs?|wait for|ask for) \S+['’]s? (?:approval|review|ok|sign-?off|blessing)\b|\b(?:approval|review|sign-?off) (?:prior to|before)\b|\b(?:i|we)(?:['’]ll| will) do the (?:code )?review\b/i,
  ),
  cue(
    'reviewer',
    3,
    new RegExp(
      `\\b(?:[Tt]ag|[Pp]ing|[Cc]c|[Aa]ssign|[Nn]otify|[Ll]et|without|asked|[Hh]and|goes to|up to|[Ii]t['’]s|is) ${who}\\b(?=.*\\b(?:review\\w*|merge\\w*|decide\\w*|approv\\w*|pull request|PR|inspect\\w*|look|read|checks?|goes in|know when)\\b)`,
    ),
  ),
  cue('reviewer', 3, new RegExp(`\\b(?:merge|ship|land|release|deploy)\\w* (?:\\w+ )?without ${who}`)),
  cue(
    'reviewer',
    3,
    /\b(?:green light|responsible for (?:the )?(?:review|approval|sign)|critical read|thumbs[- ]up|takes? a look and|decides? whether)\b/i,
  ),
  cue('reviewer', 4, /\breview(?:er|s)?(?: owner)?\s*(?:is|are|will be|should be|=|:)/i),
  cue('reviewer', 4, /\b(?:review|sign|approv|check|merg|vett)\w*(?: off)? by\b/i),
  cue(
    'reviewer',
    4,
    /\b(?:approval|sign[- ]?off|ok(?:ay)?|go[- ]ahead|blessing|thumbs[- ]up|lgtm|green light|yes|nod)\b (?:from|of|by)\b/i,
  ),
  cue(
    'reviewer',
    4,
    /\bfinal (?:say|word|call|decision) (?:on|about|is|belongs|lies)|\bhas the (?:final|last) (?:say|word)/i,
  ),
  cue(
    'reviewer',
    3,
    /\b(?:for|to) (?:a |the |his |her |their |final |code )*(?:review|approval|sign[- ]?off|second look)\b/i,
  ),
  cue(
    'reviewer',
    3,
    new RegExp(
      `\\b(?:[Aa]sk|[Gg]et|[Hh]ave|[Ll]et|want|need|[Tt]ell|[Mm]ake sure|[Ee]nsure|until|unless|before|after|once|by|as|if|that) ${who} ${may}${looks}\\b`,
    ),
  ),
  cue(
    'reviewer',
    3,
    new RegExp(
      `^\\W*(?:[^,.:;]{3,60}, )?(?:and |then |finally )?(?!(?:Everything|All|It|This|That|We|You|They|Please|Nothing|Nobody|Any|If)\\b)${who} ${may}(?:the )?(?:one (?:who|to) )?${looks}\\b`,
    ),
  ),
  cue(
    'reviewer',
    3,
    new RegExp(
      `\\b(?:[Rr]un|[Pp]ass|[Ww]alk|[Pp]ut|[Ss]how|[Ss]end|[Gg]ive|[Hh]and|[Ff]orward|[Bb]ring)\\b[^.]{0,40}\\b(?:by|past|to|in front of) ${who}`,
    ),
  ),
  cue('reviewer', 2, new RegExp(`\\b${who}[^.]{0,30}\\b(?:one|person|people) (?:who|that|to) ${looks}`)),
  // A word of approval and somebody to give it, wherever they stand.
  cue(
    'reviewer',
    3,
    new RegExp(
      `^(?=.*\\b(?:[Rr]eview\\w*|[Aa]pprov\\w*|[Ss]ign\\w*[- ]off|[Vv]erdict|[Mm]erg\\w+|[Pp]ull [Rr]equest|PR|have a look|takes? a look|pair of eyes|agree\\w*|[Cc]heck(?:ed|s)? by|go-ahead|consent|wants? to see|up to)\\b).*(?:@[\\w-]+|\\b(?:the|our) [\\w-]+ team\\b|(?:from|by|of|to|for|with|ask|ping|cc|only|is|be|assign|[Oo]nly) (?!Windows|Linux|Safari|Python|Friday|Monday)[A-Z][a-z]+\\b|^(?!(?:We|It|This|You|They|That|There|The|Our|Everything|Nothing|Nobody|All|Any|Only|No|Leave|If|My)\\b)[A-Z][a-z]+(?: (?:from|of|at) \\w+| [A-Z][a-z]+)? (?:is|owns|wants|will|has|must|should|can|does|gets)\\b)`,
    ),
  ),
  cue('reviewer', 2, /\b(?:reviewer|code ?owner|approver|second pair of eyes|sign[- ]?off)\b/i),
  // "Review the parser" is work for the agent.
  cue(
    'reviewer',
    -3,
    /^\W*(?:please |now |then |can you |could you )*(?:review|check|look|read|inspect|audit|approve|merge)\b(?!er| rights)/i,
  ),
];
