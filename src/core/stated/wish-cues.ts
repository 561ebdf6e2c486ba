/** By what signs a sentence says what is wanted, and when it is there. Weights as in `user-cues.ts`. */
import type { Cue, UserKind } from './kinds.ts';
import { ratherNot } from './limit-cues.ts';
import { ownLook } from './reviewer-cues.ts';

const cue = (kind: UserKind, weight: number, sign: RegExp): Cue<UserKind> => ({ kind, weight, sign });

export const acceptance: readonly Cue<UserKind>[] = [
  // "When the page shows my name we're good", in either order.
  cue(
    'acceptance',
    4,
    /\b(?:when|once|if|as soon as|the moment)\b.{3,200}[\s,](?:then )?(?:we|i|you|it|that|this|all)(?:['’](?:re|m|s)| are| is| am|re|m) (?:all |then )?(?:good|done|fine|happy|set|golden|finished|there|satisfied|through|home)\b|\b(?:we|i|you)(?:['’](?:re|m)| are| am|re) (?:all )?(?:set|golden|happy|satisfied|there|through|home) (?:when|once|if|as soon as|the moment)\b|\bgood to go (?:when|once|if)\b|\b(?:when|once|if)\b.{3,200}\bgood to go\b/i,
  ),
  cue('acceptance', 4, /\bthat(?:['’]ll| will|['’]d| would) do(?: it)? (?:when|once|if|as soon as)\b/i),
  // Being done hangs on a condition, whichever of the two comes first.
  cue(
    'acceptance',
    3,
    /\b(?:done|finished|complete|ready|accept(?:ed)?|fixed|closed?|merged?|shipped|sign(?:ed)?[- ]?off|approved?|convinced|happy|satisfied|success|pass(?:ed|es|ing)?|counts?|good|pay|through|a day)\b.{0,50}\b(?:when|once|only if|if|only after|after|unless|until|as soon as|means?|requires?|needs?)\b|\b(?:else|otherwise|or else|or) (?:it|this|that)(?:['’]s| is|['’]ll| will)?(?:n['’]t| not)? (?:done|finished|ready|goes back|not|be|fail\w*|no good)|^\W*for (?:the )?(?:sign-?off|approval|acceptance|release|merge)\b|\bno (?:sign-?off|merge|approval|release) (?:unless|without|until|before)\b/i,
  ),
  cue(
    'acceptance',
    3,
    /\b(?:convince[sd]?|prove|proof|evidence|screencast|demonstrat\w+|measure of success|yardstick)\b|\bworking means\b|\b(?:i|we)(?:['’]ll| will) (?:test|check|verify|try) (?:it|this|that)\b|\bhow (?:will|do) (?:we|you|i) know\b|\bcome back clean\b|\bthat['’]?s a (?:yes|pass|go)\b|\bat the end\b.{1,60}\b(?:should|must|has to|says?|shows?|is|are)\b/i,
  ),
  cue(
    'acceptance',
    2,
    /\b(?:must|has to|have to|should|shall|may)\b.{0,40}\b(?:exactly|zero|the same|only one|never more|not (?:grow|lose|leak|fail|crash))\b|\b(?:p\d\d|latency|coverage|memory|throughput|checksum|heap)\b.{0,40}(?:\d|\bsame\b|\bno\b|\bnot\b)|\b(?:zero|no) (?:\d\d\ds?|errors?|warnings?|flakes?|regressions?|failures?) (?:in|for|on|over|during)\b|\b\d[\d.,]* ?%? or (?:more|less|better|fewer)\b/i,
  ),
  cue(
    'acceptance',
    4,
    /\b(?:proof|evidence|condition|outcome|result|convinces?|requirement for (?:done|success))\b(?: (?:I|we) (?:want|need))? ?(?:is|are|that|when|:|me)|\bprovided (?:that)?\b|\bas long as\b|\btrue (?:at|in) the end\b|\b(?:stop|ready|pay|ship|merge|close|accept|release|happy|done|finished) (?:only )?(?:when|if|once)\b|^\W*(?:only )?(?:if|once|when|as soon as) .{3,200}, (?:we|I|you|it|that|then|close|merge|ship|this)\b/i,
  ),
  cue(
    'acceptance',
    4,
    /\bacceptance\b|\bdefinition of done\b|\b(?:success|done|exit|completion) criteri|\bcriteri(?:on|a) (?:is|are)\b|\bto accept (?:this|it|the)\b/i,
  ),
  cue(
    'acceptance',
    4,
    /\b(?:done|finished|complete|completed|accepted|happy|satisfied|good|ready|success(?:ful)?|mergeable|fine|works|working|over|shippable|closed)\b(?: (?:only|just))? (?:when|once|if|unless|until|as soon as|the moment|means)\b/i,
  ),
  cue(
    'acceptance',
    3,
    /\b(?:consider|call|count|regard|accept|merge|ship|close|release|approve|take|sign off on)\w*\b.{0,40}\b(?:when|once|only if|if|as soon as|until|unless|after|the moment)\b/i,
  ),
  cue(
    'acceptance',
    3,
    /\b(?:the |our |my )?(?:bar|test|proof|measure|yardstick|gate|benchmark|target|success|check)\b(?: for (?:this|it|that|success))? (?:is|are|looks|means|here)\b/i,
  ),
  cue(
    'acceptance',
    3,
    /^\W*(?:and |also |please |finally |then |before [^,]{1,40}, ?)*(?:make sure|(?:be )?ensuring|(?:be )?making sure|expect(?:ed)?|ensure|verify|confirm|prove|see to it|demonstrate|(?:check|show(?: me)?) (?:that|whether|if))\b/i,
  ),
  cue(
    'acceptance',
    3,
    /\b(?:verify|confirm|prove|demonstrate|see|show me|check) that\b|\b(?:I|we)(?:['’]d| would)? (?:expect|want to see|need to see|have to see|should see|must see)\b|\byou(?:['’]ll| will) know\b|\bthen (?:I|we)(?:['’]ll| will)? (?:believe|trust|buy|accept|sign|pay|am|are)\b/i,
  ),
  cue(
    'acceptance',
    3,
    /\b(?:won['’]t|will not|can(?:no|['’])t|not) (?:be )?(?:merge|accept|ship|release|approve|close|take|call|consider|done|sign)\w*\b.{0,40}\b(?:before|until|unless|without)\b|\b(?:enough|success|done|finished|ready|works?|ends?|counts?|there) (?:when|if|means|only if)\b|\b(?:such|so) that\b|\b(?:look|check|see|test|watch|judge) (?:whether|if|that)\b/i,
  ),
  cue(
    'acceptance',
    2,
    /\b(?:tests?|suite|build|ci|lint(?:er)?|type-?check(?:er|s)?|pipeline|checks?|coverage|benchmarks?)\b.{0,60}\b(?:pass(?:es|ing)?|green|succeeds?|clean|works?|stays?|above|below|at least)\b/i,
  ),
  cue(
    'acceptance',
    2,
    /\b(?:must|should|has to|have to|needs? to|shall|ought to) (?:still |always |also |then |be able to )?(?:pass|return|show|print|exit|respond|answer|render|work|survive|handle|finish|complete|take (?:less|under)|load|start|succeed|report|produce|match|be (?:green|visible|shown|able|under|below|at least))\b/i,
  ),
  cue(
    'acceptance',
    2,
    /\b(?:under|below|within|less than|at most|no more than|at least|more than|faster than|up to) (?:\d[\d.,]*|an?|one|two|three|five|ten|half an?) ?(?:ms|s|sec|seconds?|minutes?|hours?|mb|kb|gb|%|percent|rows|lines|requests|users|x)\b/i,
  ),
];

/** Work of a session, against chores of the moment. */
const chores =
  'run|re-?run|rerun|show|print|explain|commit|push|open|check|look(?! into)|try|retry|list|tell|format|lint|(?:fix|clean up|rename|remove|delete|update|move|revert|undo|repeat) (?:the |this |that |it|all |these |those |any )*(?:failing |broken |last |lint |type |unused )*(?:tests?|lint|errors?|typos?|imports?|warnings?|variables?|build|formatting|comments?|names?|it\\b|that\\b|this\\b)|rename \\S+ to';
const making =
  'add|implement|build|create|write|migrate|port|ship|introduce|support|design|develop|extend|convert|integrate|deliver|rewrite|set up|come up with|provide|make|get|turn|replace|refactor|optimi[sz]e|speed up|investigate|figure out';
const doing =
  'add|fix|implement|build|create|write|make|refactor|migrate|convert|replace|remove|rename|update|upgrade|investigate|find|speed up|port|move|rewrite|document|design|set up|support|extend|optimi[sz]e|improve|debug|clean up|split|extract|deploy|wire|integrate|introduce|enable|change|turn|switch|get|figure out|look into|ship|develop|produce|draft|prepare|finish|complete|solve|resolve|reduce|let|teach|bring|provide|generate|translate|test|publish|release|drop|repair|mend|correct|restore|recover|diagnose|track (?:it|this|that|them|down)|trace (?:it|this|that)|hunt down|hunt (?:it|this|that|them) down|bump|get rid of|simplify|rework|restructure|reorgani[sz]e|merge|combine|consolidate|adapt|adjust|delete|expand|install|tidy|unify|configure|expose|harden|moderni[sz]e|automate|isolate|identify|sort out|sort (?:it|that|this|them|these) out|deal with|take|put|bring back|roll back|stop';
export const goal: readonly Cue<UserKind>[] = [
  // What was thought of before it may be more; this is what is asked for.
  cue(
    'goal',
    4,
    new RegExp(
      `^\\W*(?:for (?:now|today|the moment|this (?:pr|session|task|round|time))|today),? (?:please |just |only |let['’]?s |i want you to )*(?:${doing})\\b`,
      'i',
    ),
  ),
  // Says of which thing the goal speaks.
  cue('goal', 4, /^\W*(?:i mean |meaning )?the one (?:where|that|with|which|in which|from) /i),
  cue(
    'goal',
    3,
    /\b(?:it is|it['’]s) (?:needed|necessary|required|desired|wanted|time) (?:that|to|for)\b|\bwould (?:like|love|want) (?:that|if|to)\b|\b(?:users?|people|customers?|clients?|admins?|everyone|anybody|anyone|one|they|i|we|you) (?:should|must|need to|have to|want to|shall|can finally|will) (?:be able to|have|get|see|find)\b|\bfinally (?:gets?|needs?|have|has)\b|\byour (?:work|job|task|mission|part)\b|\bthe (?:thing|feature|tool|work) (?:to build|i want|we want|is)\b|\b(?:bring|make) .{1,60} (?:to life|real|happen|work)\b|\bhired you\b|\bthat['’]?s (?:it|the (?:task|work|job))\b/i,
  ),
  cue(
    'goal',
    3,
    /\b(?:milestone|roadmap|how about|what about|appreciate|grateful|wish|request (?:is|was|from|reads)|brought in (?:for|to)|kick off|get (?:me|us)|possible to (?:get|have|add)|help (?:me|us) (?:a lot|out|if)|work towards|start(?:ing)? from|(?:I|we)(?:['’]d| would)? (?:want|like|love|plan|need) to (?:offer|have|see|provide|give|build|support))\b/i,
  ),
  cue(
    'goal',
    4,
    /\b(?:the |our |my |your |main |overall |whole |ultimate |end )*(?:goal|aim|objective|mission|purpose|task|job|assignment|point|idea|plan)\b(?: (?:here|now|today|of .{1,40}?|for .{1,40}?))? (?:is|was|will be)\b/i,
  ),
  cue(
    'goal',
    4,
    /^\W*(?:goal|aim|objective|task|mission|feature request|feature|story|ticket|issue)s?\s*[:—–-]/i,
  ),
  cue(
    'goal',
    3,
    /\bwhat (?:I|we)(?:['’]m| am|['’]re| are|['’]d| would)? (?:want|need|after|like|looking for|hoping for|really want|building)\b|\bthat(?:['’]s| is) what (?:I|we)\b/i,
  ),
  cue(
    'goal',
    3,
    /\b(?:I|we)(?:['’]d| would| really| just| also)* (?:want|need|like|love|wish|hope|am hoping|are hoping|require|intend|plan|have)(?:ing)? (?:you )?to\b/i,
  ),
  cue(
    'goal',
    3,
    /\b(?:I|we)(?:['’]m|['’]re| am| are)? (?:hoping|trying|looking|aiming|planning|going|about) (?:to|for)\b|\b(?:I|we)(?:['’]d| would| really| just| also)* (?:want|need|require|would like)\b|\b(?:I|we)(?:['’]d| would)(?: really| just| also)* (?:like|love)\b(?! it (?:when|if|better))/i,
  ),
  cue(
    'goal',
    3,
    /\b(?:deliverable|assignment|take care of|first and foremost|come up with|start (?:on|with)|(?:this|it) is (?:all )?about|would be (?:great|nice|good|lovely) to|there should be|the ticket|in the end|at the end of the day)\b|\b(?:we|I)(?:['’]re| are|['’]m| am) missing\b|\bwaiting for\b/i,
  ),
  cue(
    'goal',
    2,
    /\b(?:can|could|would|will) (?:you|u|we)\b|\bhelp (?:me|us)\b|\blet['’]?s\b|\byou (?:should|are to|have to|will)\b|\bwe(?:['’]re| are) (?:building|writing|making|adding|shipping|doing)\b/i,
  ),
  cue(
    'goal',
    2,
    new RegExp(
      `^\\W*(?:please |pls |plz |now |then |next |first |so |ok(?:ay)?,? |hi,? |hello,? |hey,? |and |but |also |just |finally |today |in that case,? |if so,? |wait,? |actually,? |no,? |hm+,? |alright,? |cool,? |great,? |good,? |yes,? |sure,? |instead,? |btw,? |as discussed(?: \\w+){0,3},? )*(?:pls |please )?(?:${doing})\\b`,
      'i',
    ),
  ),
  cue('goal', -3, ratherNot),
  cue('goal', -9, ownLook),
  // "Ship no polyfill" forbids something.
  cue(
    'goal',
    -3,
    new RegExp(`^\\W*(?:please |pls |and |but |also |then )*(?:${doing}) (?:no|nothing)\\b`, 'i'),
  ),
  cue(
    'goal',
    -3,
    /\b(?:don['’]?t|do not|never|let['’]?s not|won['’]t|will not|not (?:asking|looking|about))\b/i,
  ),
  cue(
    'goal',
    1,
    new RegExp(
      `\\b(?:please |to |we |you |let['’]?s |me |us |we['’]re |going to |^)(?:just |also |now )?(?:${making})\\b`,
      'i',
    ),
  ),
  cue(
    'goal',
    -1,
    new RegExp(
      `^\\W*(?:please |now |then |ok(?:ay)?,? |and |can you |could you |just |also )*(?:${chores})`,
      'i',
    ),
  ),
  cue('goal', 1, /\bplease\b|\b(?:asking|asked|request\w*) for\b/i),
];

/** Work that is asked for with what it is for: "move it to a queue, so that …". */
export const forThat = new RegExp(
  `^\\W*(?:please |pls |now |then |so |ok(?:ay)?,? |and |also |just )*(?!make sure)(?:${doing})\\b.{3,200}\\b(?:so|such) that\\b`,
  'i',
);

export const preference: readonly Cue<UserKind>[] = [
  cue(
    'preference',
    3,
    /\b(?:I|we)(?:['’]d| would)? (?:prefer|rather|favou?r|like it (?:when|if|better))\b|\bideally\b|\bif (?:possible|you can|at all possible)\b|\bpreferabl[ey]\b|\bmy preference\b/i,
  ),
  // A wish that something is not done is a limit in polite words.
  cue('preference', -3, ratherNot),
];

/** Something to be done on the side: it is remembered, and told last. */
export const chore = new RegExp(
  `^\\W*(?:please |now |then |ok(?:ay)?,? |and |can you |could you |just |also )*(?:${chores})`,
  'i',
);
