/** By what signs a sentence of an agent says what was chosen, or what comes next. See `agent-cues.ts`. */
import type { AgentKind, Cue, Sign } from './kinds.ts';
import { narration, reason } from './narration.ts';
import { reasoned, toDo } from './voice.ts';

const cue = (kind: AgentKind, weight: number, sign: Sign): Cue<AgentKind> => ({ kind, weight, sign });

export const decision: readonly Cue<AgentKind>[] = [
  cue(
    'decision',
    3,
    /\b(?:(?:is|are) out(?=[:,;.])|makes? more sense|more sensible|replac(?:ed|es|ing) .{1,60} (?:by|with)|won (?:the|over|against)|recommend\w*|on purpose|deliberate(?:ly)?|intentional(?:ly)?|could have (?:used|taken|gone|chosen|been)|would have (?:worked|been|done|meant)|hence|trade-?off|switch(?:ed|ing) (?:from|to|over)|agreed that|does the job|moved (?:from|away|over) |swapped|went back to|in the end|after (?:weighing|comparing|(?:some|much|long|a bit of) (?:thought|thinking|back and forth|discussion|deliberation))|the way to go|better than)\b/,
  ),
  cue(
    'decision',
    5,
    /^\W*(?:design )?(?:decision|decided|choice|verdict|resolution)\b\s*(?:\([^)]*\))?\s*[:—–-]/,
  ),
  // A choice.
  cue(
    'decision',
    3,
    /\b(?:decid\w*|decision|ch(?:oose|ose|osen|oosing|oice)|opt(?:ed|ing)? for|settl(?:e|ed|ing) (?:on|for)|pick(?:ed|ing)?|select(?:ed|ing)|agreed (?:on|to)|elected|commit(?:ted|ting)? to|prefer\w*|favou?r\w*|adopt\w*|conclu\w*|(?:go|going|went|gone) (?:with|for)|stick\w* (?:to|with)|stay\w* with|end(?:ed)? up (?:with|using|prefer\w*)|live with|rel(?:y|ies|ying) on|winner|wins?|verdict|answer is|final call|(?:it is|it will be|will be)(?=[,:])|would rather|['’]d rather|took|former|latter)\b/,
  ),
  // One thing against another.
  cue('decision', 1, /\b(?:instead of|rather than|as opposed to|in favou?r of|in place of)\b/),
  cue(
    'decision',
    2,
    /\b(?:instead of|rather than|as opposed to|over|against|versus|vs\.?|between|compared|than|no longer|even though|although|where (?:i|one|we) would|normally|as well|both|alternative\w*|(?:and|but|,) not|not (?:on|the|an?)|in place of)\b/,
  ),
  cue(
    'decision',
    2,
    /\b(?:reject\w*|discard\w*|dropped|ruled out|turned down|dismiss\w*|passed on|(?:left|leaving|set|setting|put|putting) .{1,60}aside|consider\w*|weigh\w*|drawback|downside|trade-?offs?|outweigh\w*|beats?|better (?:fit|choice|option)|preferable|superior)\b/,
  ),
  cue('decision', 1, /\b(?:use[sd]?|using|take|taking|keep\w*|design|storage|code|implementation|here)\b/),
  cue('decision', 1, reason),
  // Of two that would do, or that both apply, one.
  cue(
    'decision',
    4,
    /\b(?:both|either|each|any) (?:of them |one )?would (?:do|work|be fine|have (?:done|worked))\b|\b(?:wins?|takes? precedence|prevails?|has priority) over\b/,
  ),
  // What it is, and what it is not.
  cue('decision', 3, /(?:\band|,) not (?:from|by|in|on|with|per|via|through) /),
  // What the other way would have cost.
  cue(
    'decision',
    3,
    /\bwould (?:have )?(?:only |also |just )?(?:drag|dragged|mean|meant|need|needed|cost|require|required|double|doubled|force|forced|pull|pulled|bring in|brought in|be overkill|been overkill|be too|not pay)\b/,
  ),
  // Somebody chose.
  cue(
    'decision',
    2,
    /\b(?:i|we)(?:['’]ve| have|['’]m| am|['’]re| are|['’]ll| will)? (?:now |also |therefore |deliberately )?(?:chose|choose|picked|went|took|put|made|made up|kept|keep|keeping|use|used|using|prefer|settled|opted|decided|convinced|stay|dropped|skipped|read|return|store)\b|^\W*(?:chose|picked|opted|settled|went|going|made|kept|keeping|using|switched|decided)\b|\b(?:lost out|won|my choice|choice (?:is|was|fell)|no contest|let go|gets the job|for the record|(?:made up|make up) my mind|came down to|pay off|out of the box|to keep (?:it|things) simple)\b/,
  ),
  cue('decision', 2, reasoned),
  cue('decision', -2, /\b(?:fail(?:s|ed|ing)|broke|errors?|crash\w*)\b/),
  cue('decision', -6, /(?:n['’]t|\bnot|\bnever) (?:\w+ )?(?:work|help)(?:ed)?\b/),
  cue('decision', -4, /\?\s*$/),
  cue('decision', -3, narration),
];

const doing =
  '(?:add|wire|write|run|fix|move|finish|update|implement|split|port|delete|remove|replace|extend|document|check|test|migrate|rename|handle|publish|hook|connect|make|build|convert|extract|register|cover|measure|verify|refactor|deploy|merge|push|review|investigate|rerun|re-run|clean|bump|teach|drop|turn|switch|create|do|doing)';
export const next: readonly Cue<AgentKind>[] = [
  cue(
    'next',
    3,
    /\b(?:when (?:you|we|work) (?:resume|continue|come back|pick)\w*|to-?do list|as a follow-?up|suggest\w*|pending|comes now|comes next|(?:have|has|had) yet to|up to the next|right before (?:i|we)|one (?:more|last|final|other) thing|ready to|first thing|on (?:the|my) list|for whoever|left undone|half[- ]done|half[- ]finished|carry on|goes on with|proceed (?:with|by|to))\b/,
  ),
  cue(
    'next',
    5,
    /^\W*(?:(?:the )?(?:obvious |logical |immediate )?next (?:steps?|up|actions?|tasks?|things?|moves?)|up next|next|remaining(?: (?:work|tasks?|steps?|items?|bits?|pieces?))?|to-?do|still (?:open|to do|left|missing|pending)|left(?: to do| over| for .{1,30})?|open|what(?:['’]s| is) left|follow-?ups?|continuation|the obvious continuation|for (?:later|tomorrow|the next .{1,20}))\b\s*(?:\([^)]*\))?\s*[:—–-]/,
  ),
  cue('next', 5, /^\W*(?:next up|up next|to-?do|fixme)\b|^\W*after [^,]{2,60} comes?\b/),
  cue('next', 2, /\b(?:just|only|merely) needs?\b/),
  // What remains, or comes next.
  cue(
    'next',
    3,
    /\b(?:next|remain(?:s|ing|der)?|left (?:to|is|for)|is left|are left|(?:still|yet) (?:open|missing|to (?:do|be)|left|undone|outstanding|needs?|ha(?:ve|s) to|must)|outstanding|unfinished|undone|to-?do|tomorrow|from here|to be continued|continu\w*|resum\w*|pick\w* (?:this |it |things )?(?:back )?up|follow(?:ing|-?up)?|what is missing|did(?:n['’]t| not) get (?:to|around)|have(?:n['’]t| not) (?:yet |got |gotten )*(?:to|around|done|started)|not (?:yet )?(?:done|finished|started|wired)|afterwards?|after (?:this|that)|once (?:this|that|it)|then|at this point)\b/,
  ),
  // An intention or a duty.
  cue('next', 1, /\b(?:plan\w*|inten(?:d|ds|ded|tion|t)|(?:was|were|am) about to|(?:what )?i would)\b/),
  cue(
    'next',
    2,
    /\b(?:plan\w*|inten(?:d|ds|ded|tion|t)|would|should|ha(?:s|ve) to|needs? to|must|going to|about to|it(?:['’]s| is) time|will|want to|ought to|meant to|wanted to|is to|was to)\b/,
  ),
  // Who goes on.
  cue(
    'next',
    2,
    /\b(?:whoever|the next (?:agent|person|one|session|holder)|next session|successor|handover|hand-?off|someone|somebody|please)\b/,
  ),
  cue('next', 1, /\b(?:steps?|things?|moves?|actions?|tasks?|items?|jobs?|pieces?|part|one)\b/),
  cue(
    'next',
    1,
    new RegExp(`\\b(?:to|should|would|will|must|has to|and) (?:\\w+ly )?${doing}\\b|[:,] ${doing}\\b`),
  ),
  cue('next', 3, toDo),
  // A request for something, and a choice, speak of doing too.
  cue(
    'next',
    -4,
    /\b(?:not able|unable|not allowed|not possible|cannot|can['’]t|no way) to\b|\bnot able to\b/,
  ),
  cue('next', -4, /\b(?:give|send|grant|provide|hand|tell|show|get) (?:me|us)\b|\bhand over\b/),
  cue('next', -3, /\b(?:instead of|rather than|normally|as opposed to)\b/),
  cue(
    'next',
    2,
    /\b(?:agenda|order of business|open point|so far|very next|after the break|take it from here|where to go|to finish|for the successor|in a follow-?up|if you (?:pick|take|continue|resume)|comes next|up next|the only thing|just needs|we can merge|start with|continue with|still (?:have|has|need)|have(?:n['’]t| not) \w+ .{1,40}yet|once (?:ci|this|that|it)|not done|follow-?up)\b/,
  ),
  // "The next call returns the rest": code goes on, and nobody is asked to.
  // "What a receiver reads first: …" names something.
  cue(
    'next',
    -4,
    /^\W*(?:whether|which|where (?!to\b)|who\b|whom|how|of|null|undefined|absent|makes|leaves|changes|what (?!(?:is|['’]s|remains?|comes|i|we|nobody|still|needs)\b))/,
  ),
  cue('next', -4, narration),
  cue('next', -3, /\?\s*$/),
];
