/** By what signs a sentence says what must hold, and what is not wanted. Weights as in `user-cues.ts`. */
import type { Cue, UserKind } from './kinds.ts';

const cue = (kind: UserKind, weight: number, sign: RegExp): Cue<UserKind> => ({ kind, weight, sign });

/** "I would rather you didn't", "I'd prefer not to". */
export const ratherNot =
  /\b(?:rather|prefer|appreciate it if|glad if|happier if|like it if|ideally,?|preferably|better if)(?: it)?(?: if| that)?(?: (?:you|we|it|this|that|they|nobody|nothing|the \w+))?(?: would| could)? ?(?:did|do|does|were|was|is|are|would|could)?(?:n['’]?t\b| ?\bnot\b)|\b(?:rather|prefer)\b(?: (?:no|nobody|nothing|none|without|to avoid|to not|avoiding)\b| (?:you|we|they) (?:never|left|avoided|kept|stayed)\b)/i;

export const nonGoal: readonly Cue<UserKind>[] = [
  // Nobody needs it; to need somebody to leave something alone is another matter.
  cue(
    'non-goal',
    4,
    /\b(?:we|i|you|they|users?|customers?|people) (?:really |actually |just |certainly )?(?:(?:do|does|did|would|will)(?:n['’]?t| not|nt)|won['’]?t|wouldn['’]?t|wont) (?:really |actually |even |currently )?(?:need|require)\b(?! (?:you|it|this|that|them) (?:to|break\w*|chang\w*|touch\w*)\b)|\b(?:can|could) do without\b|\bno (?:[\w-]+ ){1,4}(?:is |are )?(?:needed|required|necessary|called for)\b/i,
  ),
  // For another time, or for somebody else; you may leave it.
  cue(
    'non-goal',
    4,
    /\b(?:story|topic|thing|job|task|project|problem|discussion|question) for (?:next|another|later|some|the next|v?\d|someone|somebody)\b|\byou (?:can|may|could) (?:safely |just |happily |also )*(?:leave|skip|ignore|forget|drop|omit)\b|\bnot (?:in |for |during )?(?:this|the current) (?:round|time|release|sprint|version|week|month|quarter|iteration)\b|\b(?:is|are) [A-Z]?\w+['’]s? (?:construction site|job|turf|problem|area|business|task|baby|topic|department)\b/i,
  ),
  // It is good enough, of no weight, too much, or for others and another time.
  cue(
    'non-goal',
    3,
    /\b(?:fine|good enough|ok(?:ay)?) (?:as|the way) (?:it|they|is)\b|\bonly care (?:for|about)\b|\b(?:do|does|would|did)(?:n['’]?t| not)(?: really)? matter\b|\b(?:no|not a|isn['’]t an?|hardly a) (?:concern|priority|issue|requirement|topic)\b|\b(?:not|isn['’]t|aren['’]t) on the (?:menu|list|roadmap|agenda|plan)\b|\boverkill\b|\bsome ?day\b|\bone day\b|\bcouldn['’]t care less\b|\bbeyond what\b|\b(?:next|following) (?:quarter|sprint|month|year|week|release|version)['’]?s?\b.{0,20}\b(?:problem|job|topic|work|task|thing)\b|\bfollow-?ups?\b|\bown (?:ticket|pr|task|issue|project)\b|\b(?:another|a different|a separate|a whole other) (?:conversation|story|matter|topic|question|discussion|thing|beast|animal)\b|\b(?:not|n['’]t) interested in\b/i,
  ),
  cue(
    'non-goal',
    3,
    /\b(?:do(?:n['’]?t| not|nt)|needn['’]?t|never|no need to) (?:have to |need to |want you to )?(?:care|spend|waste|invest|bother|worry|polish|gold-?plate|solve)\b|\b(?:do(?:n['’]?t|nt| not)) have to\b|\bno need (?:that|for|to|of)\b|\b(?:save|spare) yourself\b|\bout of your (?:mind|head)\b|\b(?:deliberately|explicitly|intentionally|on purpose) (?:not|exclud\w*|left out|without)\b|\bnot included\b|,? (?:so|then|thus|still) (?:no|don['’]?t|not)\b(?! (?:changes?|edits?|touch\w*|modif\w*|writ\w*))[^,]{0,20}[.!]?$|[:?] (?:no|nope|nah|later|not now|not here)[.!]?$|\b(?:does|do|did|is|are)(?:n['’]?t| not|nt) (?:have|need) to (?:be|look|work|support|handle|scale|cover|run)\b|\bno ?(?:one|body) (?:is |was |has )?(?:ask|need|want|expect|requir)\w*|[?,:;] (?:just )?(?:skip|ignore|leave|forget)(?: it| that| them| those)?[.!]?$|\bnobody needs\b|\brefrain from (?:including|adding|doing|building)\b/i,
  ),
  cue(
    'non-goal',
    3,
    /\b(?:folks|guys|team|people|colleagues?|others|somebody|someone|vendor|ops) (?:do|does|will do|will handle|handles?|takes? care|owns?|looks? after)\b|\bwill be (?:handled|done|fixed|covered|addressed) (?:in|by|with|later|elsewhere|separately)\b|\bfor (?:another|the next|a later|the following) (?:release|version|sprint|ticket|pr|round|quarter)\b/i,
  ),
  cue(
    'non-goal',
    3,
    /\b(?:somebody|someone) else(?:['’]s)?\b|\b(?:decided|are|voted) against\b|\bresist\b|\bnot (?:in this (?:branch|pr|change|round|release)|today|here|for (?:this|now))\b|\b(?:do(?:n['’]t| not)|needn['’]t) (?:have to|need to|solve)\b|\b(?:others?|other people|another team) (?:are|is|has|have|will)\b|\bdoes(?:n['’]t| not) belong\b|\bkeep .{1,80} out of\b|\bno requirement\b|\b(?:live|do) without\b|\bstay away from (?:a |the )?\w+ing\b/i,
  ),
  cue(
    'non-goal',
    4,
    /\bout[- ]of[- ]scope\b|\bnon-?goals?\b|\bbeyond (?:the )?scope\b|\bnot in scope\b|\bscope (?:excludes|does not include)/i,
  ),
  cue(
    'non-goal',
    3,
    /\b(?:is|are|was|'s)(?:n['’]t| not)(?: really| actually)? (?:part of|about|needed|required|necessary|in here|included|our (?:problem|job)|your (?:problem|job)|the (?:point|goal|aim))/i,
  ),
  cue(
    'non-goal',
    3,
    /\bno(?:t| need| point| reason| use)? (?:to |in )?(?:bother|worry|need(?:ing)? to)|\bno need (?:to|for)\b|\bdo(?:n['’]?t| not) (?:need to|have to|bother|worry|care|waste|spend|mind)\b|\bneedn['’]t\b/i,
  ),
  cue(
    'non-goal',
    3,
    /\b(?:not|n['’]t|never) (?:asking|looking|aiming|planning|trying|expecting|interested|here) (?:for|to|in|you)\b|\bnobody (?:asked|expects|wants|needs|cares)\b/i,
  ),
  cue(
    'non-goal',
    3,
    /\b(?:for|in|into|to) (?:a |an |the |some |its own )?(?:later|another|separate|different|next|future|follow-?up|second)(?: own)? (?:pr|pull request|ticket|task|issue|time|day|change|sprint|release|session|version|commit|round|iteration)\b/i,
  ),
  cue(
    'non-goal',
    3,
    /\b(?:separate|another|different|own) (?:pr|ticket|task|issue|project|effort|team['’]s)\b/i,
  ),
  cue(
    'non-goal',
    3,
    /\b(?:can|could|may|will|should) wait\b|\b(?:leave|save|keep|park|postpone|defer|push|put off) .{1,80}\b(?:for (?:later|now|another)|until later|aside|out of (?:this|it))\b/i,
  ),
  cue(
    'non-goal',
    3,
    /\b(?:won['’]t|will not|are not|['’]re not|aren['’]t|not going to) (?:be )?(?:do|doing|touch|build|building|support|supporting|handle|handling|cover|covering|include|including|tackle|tackling|address|addressing|rewrite|rewriting)\b|\b(?:we|i)(?:['’]re| are|['’]m| am) not (?:going to|gonna|about to) (?!accept|merg|approv|ship|releas|tolerat|pay|sign|allow)\w+/i,
  ),
  cue(
    'non-goal',
    3,
    /\b(?:exclud(?:e|es|ed|ing)|leav(?:e|ing) out|omit)\b|\bdrop\b.{0,60}\b(?:for now|for the time|from (?:this|the (?:scope|plan|list|task|release)|it)|idea|plans?|requirement|altogether)\b|\bno (?:time|effort|energy|work) (?:on|for|into)\b/i,
  ),
  cue(
    'non-goal',
    3,
    /\b(?:another|some other|a different) (?:day|time|story|matter)\b|\b(?:scope creep|no budget|none of (?:our|your|my) business|comes? (?:later|after)|not (?:you|us|ours?|yours?)\b|dropped .{1,60} from|off the table|does(?:n['’]t| not) (?:include|cover|concern|involve|extend)|no(?:body| one) .{0,20}(?:asked|needs|wants))\b/i,
  ),
  cue(
    'non-goal',
    3,
    /\blet['’]?s not\b|\b(?:don['’]?t|do not|never|no) (?:\w+ )?(?:start|begin|get (?:into|started|distracted|side)|go into|care|look (?:at|into)|attempt|try|dive|spend|waste)\b|\bjust leave (?:it|them|that|those)\b|\b(?:some other|another|a different) (?:team|person|group)\b/i,
  ),
  cue(
    'non-goal',
    2,
    /^\W*(?:please |just |and |but |you can |we can |feel free to |also )*(?:skip|ignore|forget|disregard|leave out|never mind (?=the\b|about\b|what\b)|leave (?=the\b|that\b|those\b|these\b|all\b))/i,
  ),
  cue(
    'non-goal',
    2,
    /\b(?:skip|ignore)\b.{1,80}\b(?:for now|here|this time|entirely|completely|altogether)\b|\bnot (?:now|yet|today|in this)\b|\bnice[- ]to[- ]have\b/i,
  ),
  cue(
    'non-goal',
    2,
    /^\W*(?:this|it|that|the (?:task|work|change|point|goal|idea)) (?:is|['’]s|isn['’]t|is not) (?:not )?(?:a |an |about )(?:rewrite|redesign|refactor|about|.{0,40}project)/i,
  ),
];

export const constraint: readonly Cue<UserKind>[] = [
  cue('constraint', 4, ratherNot),
  cue(
    'constraint',
    4,
    /^\W*(?:anything|everything|whatever|stuff) (?:that|which)\b.{3,120}\b(?:off the table|out of the question|forbidden|taboo|not ok(?:ay)?)\b/i,
  ),
  cue(
    'constraint',
    3,
    /^\W*(?:max(?:imum)?|min(?:imum)?|no more than|at (?:most|least))\.?:? \d|\bnone of (?:those|them|that|these|this)\W*$|\ballergic to\b/i,
  ),
  // It stays what it is: a name, or a word for a way of being.
  cue(
    'constraint',
    3,
    /\b(?:stays?|remains?) (?:(?:plain|pure|[A-Z][\w.+#-]+)(?=[ ,.;:!]|$)|(?:free of|compatible|stateless|synchronous|optional|single[- ]\w+|offline|static|public|private|open source|backwards?)\b)/,
  ),
  cue(
    'constraint',
    4,
    /\bno[- ]?go(?:es|s)?\b|\bno-no\b|\banything else (?:would |will )?(?:also )?needs? .{1,40}\b(?:ok(?:ay)?|approval|permission|sign-?off|consent|blessing)\b|\b(?:deal|show)[- ]?(?:breaker|stopper)\b|\bred line\b|\bis a (?:hard |clear |definite |firm )?no\b(?!-)|(?:=|:|→|->|–|—) *(?:hard |definite |absolute )?(?:no way|never|forbidden|banned|hard no|verboten|not ok(?:ay)?|not acceptable)\b|\bnot on my watch\b|\bi won['’]t (?:have|accept|tolerate)\b/i,
  ),
  // What has to stay as it is, and what everything has to live with.
  cue(
    'constraint',
    3,
    /\b(?:has|have|needs?|must|should|shall) (?:to )?(?:always |still )?(?:stay|remain|keep|run|fit|work (?:with|offline|without|on|under|behind)|live with|be kept|continue to|support)\b|\b(?:stays?|remains?) (?:v?\d|where|as|put|the same|on|in|under|below|within|at)\b|\bis a must\b|\b(?:can|may) only\b|\bnothing (?:may|can|must)\b|\bread only\b|\bkeep (?:the|it|this|that|your|all|every)\b|\b(?:we|you|i) (?:can['’]?t|cannot|may not) (?:upgrade|use|change|move|add|store|install|touch|afford|break|drop)\b|\b(?:already|existing) (?:in|helper|library|tool|code)\b|\bfull stop\b|\bno exceptions?\b|\b(?:essential|crucial|vital|imperative) (?:to|that)\b|\bpreserv\w+\b|\bspare\b|\bkeep your (?:hands|fingers)\b|\bmust not notice\b|\bplease no\b|\b(?:nobody|no one)(?: \w+){0,4} (?:may|can|should|must)\b|\b(?:load|work|open|parse|read) forever\b|\bhard rule\b/i,
  ),
  cue(
    'constraint',
    3,
    /\b(?:read[- ]only|no (?:edits?|changes?|touching|trace|modifications?|writes?)|(?:may|can|must|should|do) not (?:be )?(?:affect|alter|chang|writ|touch|modif|break|edit)\w*|cannot be (?:alter|chang|touch|modif|mov|renam)\w*|not write|rather than chang\w+|work around|licen[sc]ed|compliance|make do with|promised|shared with|production|nothing .{0,30}(?:may|must|should|can)|belongs? to (?:another|a different|the|someone))\b/i,
  ),
  cue(
    'constraint',
    3,
    /\b(?:must(?:n['’]?t| not| never)|may not|shall not|never ever|under no circumstances|at all costs|no matter what|whatever (?:you do|happens))\b/i,
  ),
  cue(
    'constraint',
    3,
    /\b(?:not|never|nothing|nobody is|aren['’]t|isn['’]t) (?:be )?(?:allowed|permitted|acceptable|supposed|negotiable|an option|ok(?:ay)?)\b|\bforbidden\b|\bprohibited\b|\boff[- ]limits\b|\btaboo\b|\bnon-negotiable\b|\bhard (?:rule|requirement|limit|constraint)\b|\bconstraints?\b/i,
  ),
  cue(
    'constraint',
    3,
    /\b(?:do(?:n['’]?t| not)|never|stop|please not) (?:ever )?(?:touch|change|modify|edit|alter|rename|remove|delete|break|add|use|introduce|commit|push|install|rewrite|move|run|call|write|create|make|import|rely|bump|upgrade|reformat|refactor|deploy|merge|force|drop|expose|log|store|disable)\b/i,
  ),
  cue(
    'constraint',
    3,
    /\b(?:hands|keep your hands) off\b|\b(?:stay|keep) (?:away|clear|out of|off)\b|\brefrain\b|\bsteer clear\b|\bleave .{1,80}\b(?:alone|as[- ]is|as (?:it|they) (?:is|are)|untouched|unchanged|intact|in place|the same)\b/i,
  ),
  cue(
    'constraint',
    3,
    /\b(?:is|are|be|stays?|remains?|kept|keep .{1,60}) (?:left )?(?:frozen|untouched|unchanged|intact|stable|backwards?[- ]compatible|compatible|exactly|as (?:it is|they are|is)|byte[- ]for[- ]byte|identical|the same|read[- ]only|private|secret|confidential)\b/i,
  ),
  cue(
    'constraint',
    3,
    /\bwithout (?:any |a |an |the |new |further |extra )*(?:\w+ )?(?:chang|touch|break|add|us|alter|edit|modif|introduc|remov|depend|install|renam|rewrit|affect|side)\w*/i,
  ),
  cue(
    'constraint',
    3,
    /\b(?:sacred|sacrosanct|untouchable|freeze|frozen|not welcome|unwelcome|except|but not|insists?|company rule|house rule|nobody (?:may|can|should|is)|no one (?:may|can|should|is)|will be (?:rejected|refused|reverted|declined)|the way (?:it|they) (?:is|are)|as shipped|nothing but|no diff|(?:don['’]?t|do not|never) want (?:to see|any|a|you))\b|\bcareful (?:not|with)\b|\bmind (?:the|that|not)\b/i,
  ),
  cue(
    'constraint',
    2,
    /\b(?:must|has to|have to|needs? to|shall|required to|is required|are required|mandatory|always|never|cannot|can['’]t|can not|should(?:n['’]t| not)|do not|don['’]?t|dont|won['’]t)\b/i,
  ),
  cue(
    'constraint',
    2,
    /^\W*(?:(?:ok(?:ay)?|alright|sure|fine|good|great|yes|yep|yeah|cool|right|btw|oh|and|but|also|please|pls|plz|just|then|though),? )*(?:no(?! idea| problem| worries| luck| clue| need| thanks| wonder| one| hurry| rush|,)|only|avoid|keep|use only|stick (?:to|with)|stay (?:on|within|with)|limit|restrict|respect|preserve|follow|target|mind)\b/i,
  ),
  cue(
    'constraint',
    2,
    /\b(?:use|using|with|via|through|on|in) only\b|\bonly (?:use|in|with|on|via|through|for|ever|the|touch|change|edit)\b|\bnothing (?:else|but|other)\b|\bno (?:new|other|additional|external|third[- ]party|extra|breaking|more)\b|\bat (?:most|least)\b|\bno (?:more|less|fewer) than\b/i,
  ),
  cue(
    'constraint',
    2,
    /\b(?:stick(?:ing)? (?:to|with)|conform|comply|adhere|compatible with|compatibility|licen[sc]e|policy|convention|style guide|in line with|according to)\b/i,
  ),
  cue(
    'constraint',
    1,
    /\b(?:avoid|keep|preserve|careful|instead|rather than|important|insist|without|prefer not|should|make sure not|not)\b/i,
  ),
  cue(
    'constraint',
    1,
    /^\W*(?:(?:and|but|also|please|then|actually|no|wait|ok(?:ay)?|in that case|instead),? )*use\b/i,
  ),
  cue(
    'constraint',
    2,
    /^\W*(?:and |but |also |please |then )*(?:add|use|ship|make|introduce|install|create|write|change|delete|remove|rename|move|touch|pull in|bring in|log|store|commit|push|import|break) (?:no|nothing)\b/i,
  ),
  // Somebody tells what they do not do or did not see, and forbids nothing.
  cue(
    'constraint',
    -4,
    /(?<!\b(?:rather|prefer|if) )\b(?:i|it|they|he|she|nobody) (?:still |really |just |also )?(?:do|does|did|can|could|was|were|is|have|has|had|would)(?:n['’]?t| not|not)\b(?! (?:want|allow|break|change|be (?:changed|touched)|touch))|\b(?:i|he|she|they) (?:always|never|only ever)\b|\bnever (?:mind|\w+ed|knew|saw|had|was|were|got|been|heard|thought)\b|^\W*(?:can['’]?t|cannot|couldn['’]t|didn['’]t|haven['’]t) (?:see|find|tell|remember|reproduce|open|hear)\b/i,
  ),
  // What nobody has there.
  cue('constraint', -3, /\bwe (?:do|did)(?:n['’]?t| not) have (?:an?|any|one|two) /i),
  // What somebody did or saw.
  cue(
    'constraint',
    -2,
    /^\W*(?:i|he|she|they) (?:just |also |already |only |once )?(?!agreed|decided|promised|wanted|needed|signed|committed|asked)(?:[a-z]{3,}ed|saw|had|got|went|came|ran|found|took|met|bought|left)\b/i,
  ),
  // "Don't worry" asks for nothing.
  cue(
    'constraint',
    -2,
    /\b(?:don['’]?t|do not|never) (?:worry|bother|mind|care|know|think|understand|see|remember)\b|\bno need\b|\bnot sure\b/i,
  ),
];
