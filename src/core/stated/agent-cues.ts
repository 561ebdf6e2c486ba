/**
 * By what signs a sentence of an agent is taken for a decision, a dead end, a blocker or the next step. Agents narrate all the time,
 * so one common word is never enough. The signs of each kind stand for fields of meaning, and a sentence must touch
 * several of one kind, or say outright what it is:
 *
 *   dead end   something was tried, or is an approach · it failed · do not try it again · why
 *   blocker    a standstill · something is missing or awaited · it is somebody else's to give · nothing can be done
 *   decision   a choice · one thing against another · why
 *   next step  what remains or comes next · an intention or a duty · who goes on · a thing to do
 *
 * What weighs less than `agentStrengthMin` is narration, and so are announcements of what is done at once ("let me", "now I'll").
 * Signs are written for text in lower case.
 */
import { decision, next } from './course-cues.ts';
import { anyOf, type AgentKind, type Cue, type Sign } from './kinds.ts';
import { blocker, deadEnd } from './trouble-cues.ts';
import { approach, happened, outOfReach, reasoned, speaker, theWork, toDo } from './voice.ts';

export const agentStrengthMin = 3;

const cue = (kind: AgentKind, weight: number, sign: Sign): Cue<AgentKind> => ({ kind, weight, sign });

/** Without any of these a sentence is not looked at for the kind: it describes code. Cheap and common ones come first. */
export const agentGates: ReadonlyMap<AgentKind, Sign> = new Map([
  [
    'dead-end',
    anyOf(
      speaker,
      happened,
      approach,
      /dead[- ]?end|no-go|^\W*(?:so )?(?:it|this|that)(?:['’]s| is| was)(?:n['’]t| not) the [\w-]+[:;,]|(?:n['’]t|\bnot|\bnever) (?:try|go (?:down|back|there)|be used|do this)\b|\bturns out\b|n['’]t work|not work\b|not an option|ruled out|\b(?:trap|luck|hopeless|pointless|doomed|cannot be done|can['’]t be done|can(?:no|['’])t do (?:this|that|it)|(?:route|path|road|avenue|approach|idea|option) (?:is|was)|no use|useless|on paper|in theory|out again|(?:so|hence),? (?:no|out)(?=\W*$)|be tempted|buys|gains|avail|no chance|not worth|defeats?|fundamental|collapsed|breaks? down|made? it worse|forget it|impossible|had to go)\b/,
    ),
  ],
  [
    'blocker',
    anyOf(
      speaker,
      theWork,
      happened,
      outOfReach,
      toDo,
      /^\W*(?:\*\*)?(?:block|wait|stuck|need|hit|on hold|paus|cannot proceed|missing|still|pending|help)|\b(?:nothing|stuck|blocked on|until (?:someone|somebody)|no further|not been|cannot be|can['’]t be|(?:is|are) missing|missing (?:piece|part|bit|thing)|required|(?:has|have) to be|obstacle|show-?stopper|stop|(?:so|hence|thus|therefore)\b.{1,60}\bcan(?:not|['’]t)|needs? an? (?:decision|answer|approval|ruling))\b/,
    ),
  ],
  [
    'decision',
    anyOf(
      speaker,
      happened,
      toDo,
      theWork,
      /^\W*(?:\*\*)?(?:design |final )?(?:decision|choice|verdict|chose|going|using|keeping|took|taking|picked|kept|settled)|\b(?:winner|won|after comparing|is out|beats|makes more sense|gets the job|no contest|on purpose|answer is|does the job|as opposed|out of the box|pay off|back and forth|(?:wins?|precedence|prevails?|priority) over|(?:both|either) would|would (?:have )?(?:drag|mean|need|cost|require|double|force|pull|be overkill)\w*)\b|^\W*to keep (?:it|things) simple|(?:\band|,) not (?:from|by|in|on|with|per|via|through) .*(?:, (?:which|since|because|as|so)\b|; |: )/,
      reasoned,
    ),
  ],
  [
    'next',
    anyOf(
      toDo,
      speaker,
      /^\W*(?:to-?do|fixme)\b|^\W*after [^,]{2,60} comes?\b|^\W*(?:\*\*)?(?:the |my |our )?(?:next|remain|to-?do|still|left|open|pending|up next|follow|tomorrow|then the only|not done|what)[^.]{0,40}(?::|\bis\b)|\b(?:needs? (?:the|an?)|comes? next|up next|from here|to be continued|tomorrow|after lunch|next up|left to|still (?:open|to|needs?)|not (?:yet )?done|(?:somebody|someone|whoever|the next (?:one|agent|session)|successor) (?:should|must|has to|needs to|can|takes|goes))\b/,
    ),
  ],
]);

export const agentCues: readonly Cue<AgentKind>[] = [...deadEnd, ...blocker, ...decision, ...next];
export const agentOrder: readonly AgentKind[] = ['dead-end', 'blocker', 'decision', 'next'];

export const agentHeadings: readonly Cue<AgentKind>[] = [
  cue(
    'dead-end',
    5,
    /\bdead[- ]?ends?\b|\bruled out\b|\b(?:did(?:n['’]t| not)|does(?:n['’]t| not)) work\b|\bfailed attempts?\b|\bwhat (?:i )?tried\b/,
  ),
  cue('blocker', 5, /\bblock(?:ers?|ed)\b|\bopen (?:issues|problems)\b|\bwaiting\b/),
  cue('decision', 5, /\bdecisions?\b|\bchoices\b|\btrade-?offs?\b/),
  cue('next', 5, /\bnext\b|\bremaining\b|\bto-?do\b|\bleft\b|\bpending\b|\bopen\b/),
];

/**
 * What an agent says without any of these signs may still be a conclusion. Signs that it is: it speaks of those who do the work, gives a
 * reason or a contrast, begins with a way to do something, has figures, says what is not or is to come. Signs that it describes code:
 * it is short, names what something is, or is about any of a sort. The weights follow how often each is seen in what agents
 * state and in comments of code.
 */
export const concluding: readonly (readonly [weight: number, sign: Sign])[] = [
  [2, speaker],
  [2, /\b(?:because|since|due to|given that|owing to|hence|therefore|thus|so that)\b/],
  [1, /[:—–] |, so\b|; /],
  [1, /\b(?:but|yet|however|although|though|instead|rather|despite|unlike|even|too|otherwise)\b/],
  [1, /\b(?:than|over|against|both|better|worse|enough|twice|times)\b/],
  [1, /n['’]t\b|\b(?:not|no|never|cannot|nothing|nobody|none|without|neither|nor|hardly)\b/],
  [
    1,
    /\b(?:should|would|could|will|until|once|as soon as|later|tomorrow|again|already|yet|still|first|now on|left|missing)\b/,
  ],
  [1, /^\W*[a-z-]+ing\b/],
  [1, /\d/],
  [1, happened],
  [2, toDo],
  [1, outOfReach],
  [1, theWork],
  [1, /^(?:\S+ ){10}/],
  [-2, /^\W*(?:what|where|whether|how|which|who|whom|whose|of|for|at|each|every|all|any|if|when|whatever)\b/],
  [-1, /^(?:\S+ ){0,6}\S+$/],
];

/** How much a sentence that no sign knows looks like a conclusion. */
export function conclusive(has: (sign: Sign) => boolean): number {
  let sum = 0;
  for (const [weight, sign] of concluding) if (has(sign)) sum += weight;
  return Math.max(0, sum);
}
