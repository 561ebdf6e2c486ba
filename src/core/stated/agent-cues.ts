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
import { anyOf, type AgentKind, type Cue, type Sign } from './kinds.ts';
import { approach, happened, outOfReach, reasoned, speaker, theWork, toDo } from './voice.ts';

export const agentStrengthMin = 3;

const cue = (kind: AgentKind, weight: number, sign: Sign): Cue<AgentKind> => ({ kind, weight, sign });

/** Why: a sentence that gives a reason is worth more to a successor than one that does not. */
const reason = /\b(?:because|since|as|due to|given that|owing to|the reason|so)\b|[:—–] ?\S/;
/** What is done at once, or has just been seen. */
export const narration =
  /^\W*(?:(?:ok(?:ay)?|good|great|right|perfect|so|now|next(?=,? let)|first|alright|yes|and|then)[,.!:]? )*(?:let me|let['’]s (?:see|look|check|run|start|try|first|have)|i(?:['’]ll| will| am going to|['’]m going to) (?:now |first |just |quickly |start by |also |then )*(?:check|look|read|run|see|open|search|try|inspect|verify|take a look|start|find|grep|list|view|examine|re-?run|update|fix|add|create|edit|write|make)|now (?:i|let|we|that|the)|(?:looking|reading|running|checking|searching|opening)\b(?!(?:(?! (?:to|how|that|which|who|whether|why|where|what|because|so|if|when|and|until) )[^,;:]){0,120} (?:is|are|was|were|does|did|has|had|can|cannot|will|would|breaks?|fails?|makes?|gives?|takes?|costs?)\b)|here(?:['’]s| is)|this (?:file|function|test|module|class|line|is|looks)|i (?:see|can see|found|notice|understand|(?:still )?need to (?:check|look|see|understand|verify|read|find out|know))|there (?:is|are) (?:\w+ )?(?:callers?|files?|tests?|places?|matches|errors?|warnings?|usages?)|the (?:tests?|build|output|file|error|function|log|(?:issue|problem) (?:is|was|seems|must|comes|lies|here))\b)/;
/** Narration that has none of these is not looked at any further: most of a session is such. */
export const outright =
  /dead[- ]?end|red herring|rabbit hole|\bblock(?:ed|er)|\bstuck\b|\bdeci[ds]|\bnext steps?\b|\bremain|\brule[ds]? out|\bgave up|\babandon|\brevert|\bwaiting (?:for|on)|\bno (?:luck|avail|way)\b|\binstead of\b|\brather than\b/;

/** What was just done, told without a reason or a turn. */
export const reported =
  /^\W*(?:i|i['’]ve|i have|we|we['’]ve|we have) (?:also |then |now |just )?(?:add|mov|renam|updat|creat|correct|adjust|extend|clean|format|commit|fix|extract|writ|wrote|ran|rewrote)(?:ed|d|en)?\b/;
export const turning =
  /\b(?:but|because|since|instead|rather|not|without|until|so that|however|yet|only|over|against|next|remain\w*|still|before|tried|waiting|need\w*)\b|n['’]t\b/;

/** Speaks of any of a sort. */
const generic =
  /^\W*(?:if|when|whenever|where|an?|every|each|any|either|all) (?!of (?:this|that)\b|i\b|we\b|you\b)/;

const deadEnd: readonly Cue<AgentKind>[] = [
  cue(
    'dead-end',
    3,
    /\b(?:can(?:no|['’])t be used|square one|(?:buys?|gains?|gives?|brings?|gets?) (?:us |me )?nothing|remov(?:ed|ing) .{1,60}again|fundamental(?:ly)?|not worth|died|been through|no chance|disprov\w*|refuted|forget (?:it|about)|the hard way|falls? short|not the answer|out of reach|ruined|spoil\w*|makes? no sense|not going anywhere|doomed|hit(?:s|ting)? (?:a|its|the) limits?)\b/,
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
    /\b(?:tr(?:y|ied|ying)|attempt\w*|experiment\w*|explor\w*|investigat\w*|looked into|looking into|went down|go(?:ing)? down|pursu\w*|test(?:ed|ing) (?:out|whether)|prototyp\w*|spent|wasted|burn(?:ed|t)|hoped|hopes|thought|expected|assumed|believed|seemed|seems|appeared|looked|sounded|considered)\b/,
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

const blocker: readonly Cue<AgentKind>[] = [
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
  cue('blocker', -3, { test: (words) => !speaker.test(words) && generic.test(words) }),
  cue('blocker', -3, /\b(?:is|are|be|gets?) blocked by (?:the|an?)\b/),
  cue(
    'blocker',
    -3,
    /\b(?:unblocked|no longer|not blocked|fixed|resolved|non-?blocking|blocking (?:call|io|read|queue)|code block|need(?:s)? to (?:check|look|see|read|run|update|add|fix|change|make|handle|import|pass|call|find|understand|verify|be|do|write|move|cover|wire|delete|replace|measure|document))\b|\?\s*$/,
  ),
  cue('blocker', -3, narration),
];

const decision: readonly Cue<AgentKind>[] = [
  cue(
    'decision',
    3,
    /\b(?:(?:is|are) out(?=[:,;.])|makes? more sense|more sensible|replac(?:ed|es|ing) .{1,60} (?:by|with)|won (?:the|over|against)|recommend\w*|on purpose|deliberate(?:ly)?|intentional(?:ly)?|could have (?:used|taken|gone|chosen|been)|would have (?:worked|been|done|meant)|hence|trade-?off|switch(?:ed|ing) (?:from|to|over)|agreed that|does the job|moved (?:from|away|over) |swapped|went back to|in the end|after (?:weighing|comparing|some thought)|the way to go|better than)\b/,
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
  // Somebody chose.
  cue(
    'decision',
    2,
    /\b(?:i|we)(?:['’]ve| have|['’]m| am|['’]re| are|['’]ll| will)? (?:now |also |therefore |deliberately )?(?:chose|choose|picked|went|took|put|made|made up|kept|keep|keeping|use|used|using|prefer|settled|opted|decided|convinced|stay|dropped|skipped|read|return|store)\b|^\W*(?:chose|picked|opted|settled|went|going|made|kept|keeping|using|switched|decided)\b|\b(?:lost out|won|my choice|choice (?:is|was|fell)|no contest|let go|gets the job|for the record|(?:made up|make up) my mind|came down to|pay off|out of the box|to keep (?:it|things) simple)\b/,
  ),
  cue('decision', 2, reasoned),
  cue('decision', -2, /\b(?:fail(?:s|ed|ing)|broke|errors?|did(?:n['’]t| not) (?:work|help)|crash\w*)\b/),
  cue('decision', -4, /\?\s*$/),
  cue('decision', -3, narration),
];

const doing =
  '(?:add|wire|write|run|fix|move|finish|update|implement|split|port|delete|remove|replace|extend|document|check|test|migrate|rename|handle|publish|hook|connect|make|build|convert|extract|register|cover|measure|verify|refactor|deploy|merge|push|review|investigate|rerun|re-run|clean|bump|teach|drop|turn|switch|create|do|doing)';
const next: readonly Cue<AgentKind>[] = [
  cue(
    'next',
    3,
    /\b(?:when (?:you|we|work) (?:resume|continue|come back|pick)\w*|to-?do list|as a follow-?up|suggest\w*|pending|comes now|comes next|(?:have|has|had) yet to|up to the next|right before (?:i|we)|one (?:more|last|final|other) thing|ready to|first thing|on (?:the|my) list|for whoever|left undone|half[- ]done|half[- ]finished|carry on|goes on with|proceed (?:with|by|to))\b/,
  ),
  cue(
    'next',
    5,
    /^\W*(?:(?:the )?(?:obvious |logical |immediate )?next (?:steps?|up|actions?|tasks?|things?|moves?)|up next|next|remaining|to-?do|still (?:open|to do|left|missing|pending)|left(?: to do| over| for .{1,30})?|open|what(?:['’]s| is) left|follow-?ups?|continuation|the obvious continuation|for (?:later|tomorrow|the next .{1,20}))\b\s*(?:\([^)]*\))?\s*[:—–-]/,
  ),
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

/** Without any of these a sentence is not looked at for the kind: it describes code. Cheap and common ones come first. */
export const agentGates: ReadonlyMap<AgentKind, Sign> = new Map([
  [
    'dead-end',
    anyOf(
      speaker,
      happened,
      approach,
      /dead[- ]?end|no-go|(?:n['’]t|\bnot|\bnever) (?:try|go (?:down|back|there)|be used|do this)\b|\bturns out\b|n['’]t work|not work\b|not an option|ruled out|\b(?:trap|luck|hopeless|pointless|doomed|cannot be done|can['’]t be done|buys|gains|avail|no chance|not worth|defeats?|fundamental|collapsed|breaks? down|made? it worse|forget it|impossible|had to go)\b/,
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
      /^\W*(?:\*\*)?(?:block|wait|stuck|on hold|paus|cannot proceed|missing|still|pending|help)|\b(?:nothing|stuck|blocked on|until (?:someone|somebody)|no further|not been|cannot be|can['’]t be|(?:is|are) missing|missing (?:piece|part|bit|thing)|required|(?:has|have) to be|obstacle|show-?stopper|stop)\b/,
    ),
  ],
  [
    'decision',
    anyOf(
      speaker,
      happened,
      toDo,
      theWork,
      /^\W*(?:\*\*)?(?:design |final )?(?:decision|choice|verdict|chose|going|using|keeping)|\b(?:winner|won|after comparing|is out|beats|makes more sense|gets the job|no contest|on purpose|answer is|does the job|as opposed|out of the box)\b/,
      reasoned,
    ),
  ],
  [
    'next',
    anyOf(
      toDo,
      speaker,
      /^\W*(?:\*\*)?(?:next|remain|to-?do|still|left|open|pending|up next|follow|tomorrow|then the only|not done|what)[^.]{0,40}(?::|\bis\b)|\b(?:needs? (?:the|an?)|comes? next|up next|from here|to be continued|tomorrow|after lunch|left to|still (?:open|to|needs?)|not (?:yet )?done|(?:somebody|someone|whoever|the next (?:one|agent|session)|successor) (?:should|must|has to|needs to|can|takes|goes))\b/,
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
 * What an agent says without any of these signs may still be a conclusion. Signs that it is: a reason, a contrast, something that is
 * not or cannot be, a time to come, somebody who is spoken to.
 */
export const concluding: readonly Sign[] = [
  /\b(?:because|since|due to|given that|owing to|hence|therefore|thus|so that)\b|[:—–] /,
  /\b(?:but|yet|however|although|though|instead|rather|than|otherwise|despite|unlike|over|against|both|better|worse)\b/,
  /n['’]t\b|\b(?:not|no|never|cannot|nothing|nobody|none|without|neither|nor|hardly)\b/,
  /\b(?:should|would|could|will|must|until|once|before|as soon as|later|tomorrow|again|already|yet|still|first|now on)\b/,
  /\b(?:you|we|us|somebody|someone|whoever|please)\b/,
  speaker,
];
