/**
 * By what signs a sentence of a user is taken for a goal, a criterion, a constraint, something that is not wanted, or a reviewer.
 * Each sign has a weight; the kind with the most weight wins. A sentence without any sign is kept as `said`: what a user wrote
 * is never dropped for want of a rule, only ranked lower.
 *
 *   3  the words say outright what the sentence is ("out of scope", "the goal is")
 *   2  the usual way to say it ("must", "never", "I want")
 *   1  a hint that needs company, or nothing better ("please", "keep")
 *  -2  a sign against
 */
import { constraint, nonGoal } from './limit-cues.ts';
import type { Cue, UserKind } from './kinds.ts';
import { reviewer } from './reviewer-cues.ts';
import { acceptance, goal, preference } from './wish-cues.ts';

const cue = (kind: UserKind, weight: number, sign: RegExp): Cue<UserKind> => ({ kind, weight, sign });

export const userCues: readonly Cue<UserKind>[] = [
  ...reviewer,
  ...nonGoal,
  ...acceptance,
  ...constraint,
  ...goal,
  ...preference,
];

/** Of two kinds with the same weight the first counts: it has the rarer signs. */
export const userOrder: readonly UserKind[] = [
  'reviewer',
  'non-goal',
  'acceptance',
  'constraint',
  'preference',
  'goal',
];

/** What stands over a list says what its items are. */
export const userHeadings: readonly Cue<UserKind>[] = [
  cue(
    'acceptance',
    4,
    /\baccept|\bdod\b|\bcriteri|\bdone\b|\bsuccess|\bexpected\b|\bfinished\b|\bready\b|\bpassing\b|\bchecklist\b|\bmust pass\b|\bverif|\bjudg|\bhow (?:i|we)(?:['’]ll| will) (?:test|check|know|measure)\b/i,
  ),
  cue(
    'non-goal',
    5,
    /\bout of scope\b|\bnon-?goals?\b|\bnot (?:needed|part|included|now|doing|planned|wanted|in scope|today)\b|\blater\b|\bexclud|\bskip|\bwon['’]?t (?:do|fix)\b|\bleave out\b|\bno need\b|\bpark(?:ed|ing)\b|\bbacklog\b|\bdeferred\b|\bpostponed\b|\bsome ?day\b/i,
  ),
  cue(
    'constraint',
    4,
    /\bconstraint|\brules?\b|\brestriction|\blimits?\b|\bdo(?:n['’]?t| not)\b|\bnever\b|\bmust\b|\balways\b|\brequirements?\b|\bguidelines?\b|\bconventions?\b|\bforbidden\b|\bimportant\b|\bboundar/i,
  ),
  cue(
    'goal',
    4,
    /\bgoals?\b|\baims?\b|\bobjectives?\b|\btasks?\b|\bwant\b|\bneed\b|\bto ?do\b|\bfeatures?\b|\bplease\b|\bmission\b|\btl;?dr\b|\bto build\b|\bassignment\b/i,
  ),
  cue(
    'reviewer',
    5,
    /\breview(?:ers?|ed by| by| owner)?[\s:*]*$|\bapprov(?:al|ers?)\b|\bsign-?off (?:by|from)\b/i,
  ),
];

/** Words that keep a conversation going and say nothing that lasts. */
export const smallTalk =
  /^(?!\W*(?:please )?correct (?:it|that|this)\b)\W*(?:(?:ok(?:ay)?|yes|yep|yeah|yup|no|nope|sure|thanks?(?: you)?|thx|ty|great|nice|cool|good|perfect|awesome|excellent|fine|right|correct|exactly|agreed|hi|hello|hey|hm+|ah|oh|wow|lgtm|well done|good (?:job|work|morning|evening)|looks? (?:good|fine|great|right)(?: to me)?|sounds? good|go (?:on|ahead)|do (?:it|that|so)|continue|carry on|keep going|proceed|please(?: (?:do|continue|proceed|go on))?|next|again|try again|retry|done|never mind|that (?:works|helped|is fine)|got it|makes sense|interesting|I see|all good|much better|so far so good|for now|then|now|and|so|very|that|it|this|much|a lot)[\s,.!?;:-]*)+$/i;
