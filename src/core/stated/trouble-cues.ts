/** By what signs a sentence of an agent says that a way led nowhere, or that the work stands still. See `agent-cues.ts`. */
import type { AgentKind, Cue, Sign } from './kinds.ts';
import { generic, narration, reason } from './narration.ts';
import { approach, outOfReach, speaker } from './voice.ts';

const cue = (kind: AgentKind, weight: number, sign: Sign): Cue<AgentKind> => ({ kind, weight, sign });

/** What a way is or does that is not gone on. */
const poor =
  /\b(?:is|are|was|were|proved|turned out|proves) (?:just |simply |also |far |much |too |so |way )*(?:unreliable|brittle|fragile|flaky|lossy|unsafe|ambiguous|racy|unstable|imprecise|insufficient|overkill|unmaintainable|unsupported|(?:too |far |much )(?:slow|costly|expensive|late|coarse|fragile|big|noisy|risky|much))\b|\b(?:breaks|corrupts|loses|hides|deadlocks|leaks|doubles|triples|mangles|starves|strips|ruins|eats|ate|kills|(?:gets?|got) (?:us|me|it) (?:banned|blocked|throttled|killed|nowhere)|is lost|are lost|costs (?:twice|too|more))\b/;

export const deadEnd: readonly Cue<AgentKind>[] = [
  cue(
    'dead-end',
    3,
    /\b(?:can(?:no|['’])t be used|square one|(?:buys?|gains?|gives?|brings?|gets?) (?:us |me )?nothing|remov(?:ed|ing) .{1,60}again|fundamental(?:ly)?|not worth|died|been through|no chance|disprov\w*|refuted|forget (?:it|about)|the hard way|falls? short|not the answer|out of reach|ruined|spoil\w*|makes? no sense|not going anywhere|doomed|hit(?:s|ting)? (?:a|its|the) limits?)\b/,
  ),
  // It was fine in theory; and so it is gone.
  cue(
    'dead-end',
    4,
    /\b(?:on paper|in theory)\b.{0,60}\b(?:and|but|yet)\b|\b(?:so|hence|therefore|thus),? (?:no|out|not (?:that|this)|gone)(?: again)?\W*$|\bout again\W*$|(?:n['’]t|\bnot|\bnever) (?:be (?:tempted|fooled)|fall for|count on|trust)\b/,
  ),
  cue(
    'dead-end',
    3,
    /^\W*(?:it )?turns? out\b.*(?:\b(?:ignores?|drops?|strips?|rejects?|silently|never|cannot|only|not|no)\b|n['’]t\b)/,
  ),
  // A way to do it, and a poor word for what it is or does.
  cue('dead-end', 3, { test: (words) => approach.test(words) && poor.test(words), within: [poor] }),
  cue(
    'dead-end',
    3,
    /\b(?:route|road|path|avenue|door|way|option|idea|track)s? (?:is|was|are|were) (?:now |thus |therefore )?(?:closed|barred|shut|gone|dead|out\b|over|exhausted|no longer)|\bcan(?:no|['’])t (?:do (?:this|that|it)|express|cope|keep .{1,40} (?:alive|apart|in step|in sync))\b/,
  ),
  cue(
    'dead-end',
    5,
    /\bdead[- ]?ends?\b|\bred herring\b|\bblind alley\b|\bwild goose\b|\bcul-de-sac\b|\brabbit hole\b|\bnon-?starter\b/,
  ),
  // Something was tried, or is a way to do it.
  cue(
    'dead-end',
    2,
    /\b(?:tr(?:y|ied|ying)|attempt\w*|experiment\w*|explor\w*|investigat\w*|looked into|looking into|went down|go(?:ing)? down|pursu\w*|test(?:ed|ing) (?:out|whether)|prototyp\w*|spent|wasted|burn(?:ed|t)|hoped|hopes|thought|(?<!\b(?:is|are|was|were|as|than|be) )expected|assumed|believed|seemed|seems|appeared|looked|sounded|considered)\b/,
  ),
  cue(
    'dead-end',
    1,
    /\b(?:approach|idea|route|path|road|avenue|workaround|option|solution|fix|theory|hypothesis|plan|trick|way|variant|first|initial\w*|originally|promising|obvious|tempting|again|second time|either|also|anymore|any more)\b/,
  ),
  // It failed.
  cue(
    'dead-end',
    3,
    /\b(?:fail(?:s|ed|ure)?|collaps\w*|fell (?:apart|over|flat)|falls? (?:apart|over|flat)|br(?:oke|eaks?) down|backfir\w*|crash(?:es|ed)|(?:leads?|led|goes|went|going|got|gets) (?:\w+ )?nowhere|no avail|in vain|fruitless|hopeless|pointless|futile|no luck|nothing to show|without (?:success|result|effect|luck)|unsuccessful\w*|no (?:success|effect|use|good|help|improvement|difference)|mistake|trap|pitfall|waste of|wasted|ended badly|went badly|badly|worse|wrong (?:track|path|approach|turn|idea|way|direction)|unworkable|infeasible|unviable|useless|regress\w*)\b/,
  ),
  cue(
    'dead-end',
    3,
    /\b(?:gave up|giv(?:e|ing) up|abandon\w*|scrapp\w*|back(?:ed|ing) out|revert\w*|roll(?:ed|ing) (?:it |that |this )?back|ditch\w*|threw|thrown|discard\w*|undid|undone|remov(?:ed|ing) (?:it |that )?again|had to (?:go|be dropped|drop|undo|revert|remove|give)|took (?:it|that) (?:back )?out|dropp(?:ed|ing))\b/,
  ),
  cue(
    'dead-end',
    3,
    /\b(?:rul(?:e|ed|ing) (?:it |that |this )?out|out of the question|not (?:viable|feasible|workable|possible|an option|the (?:cause|culprit|answer|way|right)|worth|going to (?:work|fly|help))|isn['’]t (?:viable|feasible|workable|possible|an option|the (?:cause|culprit|answer|way|right)|worth|going to)|impossible)\b/,
  ),
  cue(
    'dead-end',
    3,
    /(?:n['’]t|\b(?:not|never|cannot|hardly)) (?:ever |actually |really |be made to |going to )?(?:work\w*|help\w*|fix\w*|apply|scale|hold up|pan(?:ned)? out|fly|solve\w*|suffice|do it|cut it|be done (?:with|by|like|that)|be (?:fixed|solved|achieved))\b/,
  ),
  // Do not try it again.
  cue(
    'dead-end',
    4,
    /(?:n['’]t|\b(?:not|never|avoid|stop|no (?:need|point|use|sense)(?: to| in)?)) (?:ever )?(?:go(?:ing)? (?:down|back|there|that)|try(?:ing)?|attempt\w*|repeat\w*|retry\w*|revisit\w*|bother|redo\w*|reach(?:ing)? for)\b|\b(?:not|never) again\b|\bnote (?:for|to) (?:later|self|others|the next)/,
  ),
  cue(
    'dead-end',
    1,
    /\b(?:but|yet|and then|however|only to|though|although|sadly|unfortunately|alas|turns? out|turned out|proved|learn(?:ed|t)?|discover\w*|realis\w*|realiz\w*)\b/,
  ),
  cue('dead-end', 1, reason),
  // It changed nothing, or was taken out again.
  cue(
    'dead-end',
    3,
    /\b(?:(?:no|without|hardly any|little) (?:measurable |noticeable |visible |real )?(?:gains?|effect|benefit|speed-?up|improvement|change)|(?:fix|solv|chang|gain|improv|help|achiev)\w* nothing|for nothing|detour|no-go|unusable|unrelated|defeat(?:s|ed)|poison\w*|off the table|(?:is|was|are|were) gone again|(?:taken|took|pull(?:ed)?|rip(?:ped)?) (?:it |that |this )?(?:back )?out|back(?:ed|ing) (?:away|out|off)|wrong (?:tool|place|layer|end|assumption)|(?:makes?|made) (?:it|things|matters) worse|(?:is|was|are|were) wrong|only (?:moves|hides|shifts|delays) )\b/,
  ),
  // A cause that was looked at and is none.
  cue(
    'dead-end',
    3,
    /\bruled? .{1,50}\bout\b|^\W*(?:so |then )?(?:it|this|that)(?:['’]s| is| was|['’]s)(?:n['’]t| not) (?:the|a|an|our|caused|related|due)\b|\b(?:theory|hypothesis|suspicion|suspects?|suspected|assumption|guess|hunch)\b.{0,60}\b(?:wrong|false|not|does(?:n['’]t| not)|didn['’]t|did not|but|innocent)\b|\b(?:leak|error|bug|problem|issue|crash|failure|symptom|delay|jitter)s? (?:stayed|remain(?:s|ed)|persist\w*|is still there|came back|is (?:unchanged|identical))\b|\bput .{1,40} back\b|\bthe same (?:error|numbers?|result|crash|failure|problem|timing)s?\b/,
  ),
  cue(
    'dead-end',
    2,
    /(?:n['’]t|\b(?:not|never|cannot|neither|nor)) (?:\w+ )?(?:get there|do (?:this|it|that)|solve|cope|handle|keep up|be possible|possible|make (?:a|any) difference|be (?:made|used|combined|reached))\b|\bneither (?:did|does|do|would|could|can)\b|\bimpossible\b|\b(?:is|are|was|were|gets?|got) (?:lost|broken|ignored|refused|rejected)\b/,
  ),
  cue(
    'dead-end',
    1,
    /\b(?:attempted|tried|at first|first attempted|seemed|sounded|hopes?|in hindsight|whoever comes after)\b/,
  ),
  // What code does, and not what became of an attempt.
  cue(
    'dead-end',
    -3,
    /\b(?:is|are|be|being|gets?) (?:\w+ )?(?:dropped|discarded|rejected|removed|reverted|refused|thrown|undone)\b(?! again)/,
  ),
  // A failing check is news of the moment, not a way that was tried.
  cue(
    'dead-end',
    -4,
    /\b(?:tests?|build|lint|suite|type-?check\w*|compil\w+|command|assertions?|cases?|job|pipeline|checks?|script|request|step|hook)\b(?: \S+){0,3} (?:still |now |also )?(?:fail\w*|broke\w*|breaks|pass(?:es|ed)?|crash\w*|run|ran)\b|\b(?:fails?|failed|failing) (?:with|at|on|in|when)\b/,
  ),
  cue('dead-end', -4, /\b(?:fixed|resolved|works now|passes now|now (?:works|passes)|succeeded)\b|\?\s*$/),
  cue('dead-end', -3, narration),
];

export const blocker: readonly Cue<AgentKind>[] = [
  cue(
    'blocker',
    3,
    /\b(?:go(?:ing)? (?:any )?further|stranded|not been (?:provided|given|granted|sent|answered)|in limbo|prevents?|(?:done|did) (?:all|everything|what) (?:i|we) (?:can|could)|otherwise this|show-?stopper|beyond (?:my|our) (?:reach|power|control)|in the way|has to wait|have to wait|help (?:wanted|needed)|out of my hands|only (?:you|they|an admin|the owner|a human) can|need(?:s)? (?:your|human|somebody['’]s) (?:help|input|decision|hand))\b/,
  ),
  cue('blocker', 5, /^\W*(?:blockers?|blocked|on hold|stuck|waiting|paused)\b[^:]{0,20}[:—–-]/),
  // A standstill.
  cue(
    'blocker',
    4,
    /\b(?:blocked|stuck|stalled|paused|halted|suspended|frozen until|gated|on hold|held up|holds? (?:this|us|me|it|everything) (?:up|back)|standstill|(?:hands are|is) tied|dead in the water|in limbo|blocker|obstacle|hurdle|impediment|show-?stopper|roadblock|bottleneck)\b|\bhit a (?:wall|snag)\b/,
  ),
  cue(
    'blocker',
    4,
    /(?:n['’]t|\b(?:not|cannot|unable to|impossible to|no way to|hard to)) (?:really |yet |be |possibly )?(?:continue\w*|proceed\w*|go (?:on|any|further|ahead)|move (?:on|forward|ahead)|finish\w*|complet\w*|progress|do (?:more|anything)|get (?:any )?(?:further|past|started)|start\w*|advance|carry on|keep going|be done)\b/,
  ),
  cue(
    'blocker',
    4,
    /\b(?:no (?:way|path|option) (?:forward|ahead|on)|no further|nothing (?:more|else|further) (?:can|to|i can|we can)|(?:progress|further work|going on|continuing) is (?:impossible|not possible)|(?:work|i|we|everything|it|this)(?: have| has| had to|['’]m| am| is)? (?:to )?stop(?:s|ped|ping)?(?: here| now| at this point|\b))/,
  ),
  // Something is missing or awaited.
  cue(
    'blocker',
    3,
    /\b(?:waiting (?:for|on|until)|(?:i|we) (?:have to )?wait|(?:am|is|are|['’]m|['’]re) waiting|await\w*|pending|outstanding|overdue|hinges? on|hangs? on|depends? (?:\w+ )?on|subject to|prerequisite|contingent)\b/,
  ),
  cue(
    'blocker',
    2,
    /\b(?:without|until|unless|before|lack(?:s|ing|ed)?|missing|unavailable|absent|denied|refused|expired|revoked|inaccessible|unanswered|first)\b|\bnot (?:yet )?(?:been )?(?:available|provided|granted|given|received|answered|sent|arrived|there|come)\b|\bno (?:sign|reply|answer|response|access|word|permission|rights?|trace) ?(?:of|from|to|yet)?\b/,
  ),
  cue(
    'blocker',
    2,
    /\b(?:i|we|this|it|that|work|part)(?:['’]ll| will| still| would| really| also)? (?:need|require|lack)s?\b|\brequires?\b|\bneeds? (?:to come|someone|somebody)\b/,
  ),
  // It is somebody else's to give.
  cue(
    'blocker',
    2,
    /\b(?:someone|somebody|nobody|no one|anyone|you|they|the (?:user|team|owner|admin\w*|client|customer|vendor)|from outside|from (?:you|them|someone|the \w+ team)|external\w*)\b.{0,40}\b(?:give\w*|provide\w*|send\w*|sent|grant\w*|decide\w*|answer\w*|confirm\w*|approve\w*|supply|supplies|hand\w*|share\w*|come|tell\w*|has|have|unlock\w*|enable\w*)\b|\b(?:give|send|grant|hand|get|provide) (?:me|us)\b|\bnever given\b|\bfrom outside\b/,
  ),
  cue(
    'blocker',
    1,
    /\b(?:access|credentials?|passwords?|permissions?|tokens?|approval|decision|licen[sc]e|keys?|accounts?|quota|answer|reply|confirmation|certificates?|environment|asked|requested|arrives?|right now|at the moment|currently|still)\b/,
  ),
  // Something is wanting, and so something cannot be done.
  cue(
    'blocker',
    5,
    /(?:\b(?:no|not|missing|lack(?:s|ing)?|without|rejects?|refuses?|denie[sd]|declines?|down|expired|locked|behind|only)\b|n['’]t\b).{3,120}\b(?:so|hence|therefore|thus|which means)\b.{1,60}(?:\bcan(?:not|['’]t| not)|\bno way|\bunable|\bimpossible)\b/,
  ),
  // A service, a machine or a right that is not there.
  cue(
    'blocker',
    3,
    /\b(?:(?:in|under) maintenance|out of (?:quota|credits?|budget|disk)|(?:all|is|are|still) offline|not plugged|queued (?:for|since)|(?:denies|refuses|rejects|locks) (?:me|us|my|our|every)\b|without (?:an?|the|any) .{1,40}\b(?:i['’]m|we['’]re|i am|we are|i can|we can|i could)\b|nothing to (?:test|check|compare|run|work|build) (?:against|with|on))/,
  ),
  cue(
    'blocker',
    4,
    /\b(?:somebody|someone|you|they) (?:has|have|needs?|must|will have) (?:to )?(?:tell|decide|answer|say|confirm|choose|pick|settle)\b|\b(?:for|up to) (?:you|them|somebody|someone|the \w+) to (?:say|decide|choose|tell|settle|pick)\b/,
  ),
  // It waits for somebody's word.
  cue(
    'blocker',
    3,
    /\bneed(?:s|ed)? (?:an?|the|your|some|somebody['’]s|someone['’]s) (?:[\w-]+ )?(?:answer|decision|ruling|word|ok(?:ay)?|approval|input|go-ahead|clarification|confirmation|sign-?off|verdict)\b|\bhit (?:the|my|our|a|an) (?:[\w-]+ ){0,2}(?:limit|quota|cap)\b/,
  ),
  // It is out of an agent's hands.
  cue(
    'blocker',
    3,
    /\b(?:i|we)(?:['’]m| am|['’]re| are| do| have|['’]ve)?(?:n['’]t| not| no)? (?:allowed|permitted|authori[sz]ed|able|entitled)\b|\b(?:i|we) (?:do not|don['’]t|cannot|can['’]t|could not|couldn['’]t|have no|haven['’]t|lack)(?: \w+){0,2} (?:have|hold|access|reach|obtain|get|permission|rights?|credentials?|log ?in|see|open|download|connect|install|run|push|publish|sign|verify)\b|\bonly (?:an? |the |somebody |someone )?(?:admin\w*|owner|human|user|maintainer|operator|person|they|you)\b.{0,30}\bcan\b/,
  ),
  cue(
    'blocker',
    2,
    /\b(?:quota|limit|rate limit|disk|licen[sc]e|certificate|account|subscription|budget|credits?)\b.{0,40}\b(?:full|used up|exhausted|expired|reached|exceeded|resets?|locked|down)\b|\bhit the (?:\w+ )?(?:limit|quota)\b|\b(?:is|are) down\b|\b(?:40[13]|unauthori[sz]ed|permission denied|access denied)\b|\bno (?:network|internet|connection|docker|gpu|permissions?|access|credentials?|rights)\b|\b(?:not|isn['’]t|aren['’]t) (?:available|reachable|installed|accessible|merged|released)\b/,
  ),
  cue(
    'blocker',
    2,
    /\b(?:stops?|stopped|prevents?|keeps?|kept|hinders?) (?:me|us|this|the work)\b|\b(?:i|we) (?:need|require)(?: \w+)? (?:you|someone|somebody|an? (?:decision|answer|admin|human|person)|access|permission)\b|\b(?:ha(?:s|ve)|needs?) to be (?:fixed|merged|released|decided|answered|granted|created|unlocked|approved|sorted out) (?:before|first)\b|\bneeds? an? (?:decision|answer|approval|ruling)\b|\bout of options\b|\bcan do nothing\b/,
  ),
  cue(
    'blocker',
    3,
    /\b(?:(?:comes?|came|brought|grinds?|ground) to a (?:full |complete )?(?:stop|halt|standstill)|ceased?|shelved?|park(?:ed)? (?:this|it)|for (?:want|lack) of|(?:will|does|do|did|can)(?:n['’]t| not) move|nothing (?:goes|moves|works|happens) (?:without|until)|missing piece|(?:one|only) thing in the way|(?:into|against) (?:a|the same) wall|with rights|hand over|makes? (?:continuing|going on|any further work) )\b/,
  ),
  cue('blocker', 1, outOfReach),
  cue(
    'blocker',
    3,
    /\b(?:i|we)(?:['’]m|['’]re| am| are)? (?:can(?:['’]t|not| not)|could(?:n['’]t| not)|not able to|unable to) (?!see|find|tell|think|reproduce|say|spot)\w+.*(?:because|since|[:;,—–]|until|without|nobody)|^\W*(?:i |we )?stopped (?:here|at|because|work)\b|\bnobody (?:has|is|can)\b|\bwon['’]t (?:start|run|work|build|boot)\b/,
  ),
  cue('blocker', -4, /\bright before\b/),
  // "If the key is missing", "a token that expired": any of them, and so none in particular.
  cue('blocker', -3, { test: (words) => !speaker.test(words) && generic.test(words), within: [generic] }),
  cue('blocker', -3, /\b(?:is|are|be|gets?) blocked by (?:the|an?)\b/),
  cue(
    'blocker',
    -3,
    /\b(?:unblocked|no longer|not blocked|(?<!to be )(?:fixed|resolved)|non-?blocking|blocking (?:call|io|read|queue)|code block|need(?:s)? to (?:check|look|see|read|run|update|add|fix|change|make|handle|import|pass|call|find|understand|verify|be|do|write|move|cover|wire|delete|replace|measure|document))\b|^[^:—–]*\?\s*$/,
  ),
  cue('blocker', -3, narration),
];
