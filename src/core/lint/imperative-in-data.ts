/**
 * Claims that give the next agent orders about its own rules. An error takes both: the words stand where an order stands, at the head
 * of a clause ("skip the review", "you must …", "please …"), and they are about what governs the reader: its instructions, its role,
 * its secrets, the review, the validation, the gate. What a product does or should do is none of that: "send the token in a cookie",
 * "skip tests that need a network". Marks of a conversation (`<system>`, `[INST]`) are errors wherever they stand. The same words in
 * quotation or code marks, or in the middle of a sentence, are a warning.
 */
import { claimsOf } from './claims.ts';
import { clausesOf, evenly, pieces, withoutMarks } from './clauses.ts';
import type { Hit } from './finding.ts';
import type { Rule } from './rule.ts';

/** What may stand before an order. */
const leadIn =
  /^(?:(?:please|now|just|first|then|next|also|so|therefore|important|urgent|note|attention|instead|always|simply|kindly|hey|dear|ok|and|to the next agent|as (?:the )?(?:next agent|an? (?:ai|assistant|agent|reviewer))|from (?:now|here) on|agents?|assistant|reviewer|next agent|it is ok(?:ay)? to|whoever reads this (?:must|should)|must|feel free to|remember to|be sure to|make sure (?:to|you)|you (?:must|should|shall|can|may|will|have to|need to|are to|are allowed to|ought to)|(?:the )?(?:next|receiving) (?:agent|reviewer)s? (?:must|should|shall|can|may|will|has to|needs to|is to)|i (?:want|need|order|ask) you to|your (?:task|job) is to)[\s:,]+)+/i;
const end =
  '(?=\\s*$|\\s+(?:for (?:this|now|me|us|the (?:task|packet|handoff|change))|before|first|yourself|entirely|completely|altogether|with|because|without|as|since|this time|here|at all|from (?:the|your|above|before)|(?:that )?(?:you|were|are|was|given|above|so far)|of (?:the|this|your)|in (?:the contract|this (?:packet|task|file))|to)\\b)';

const determiners =
  '(?:(?:all|any|every|each|the|your|these|those|my|of|previous|prior|above|earlier|former|preceding|existing|original|initial|hidden|safety|system|such|other)\\s+)+';
const forget =
  "(?:ignore|disregard|forget|override|overrule|discard|violate|break|bypass|set aside|do not (?:follow|obey)|don['’]t (?:follow|obey)|stop following)";

const secrets =
  '(?:\\.env\\b|\\.aws\\b|\\.ssh\\b|\\b(?:secrets?|credentials|api keys?|ssh keys?|private keys?|id_rsa|all tokens|env(?:ironment)?(?: variables?)?)\\b)';
const away =
  '(?:https?:|\\S+@\\S|\\w+\\.\\w+/|me\\b|(?:the|our|my|a|this|an)\\s+(?:\\w+\\s+)?(?:collector|server|endpoint|webhook|address|attacker|bot|channel|url|host|gist|pastebin))';

/** Orders, as they begin. */
const orders = new RegExp(
  `^(?:${[
    // to forget what was said
    `${forget}\\s+(?:about\\s+)?${determiners}(?:\\w+\\s+)?(?:instructions?|prompts?|guidelines?|guidance|directives?|orders)${end}`,
    `${forget}\\s+(?:about\\s+)?(?:\\w+\\s+){0,3}?(?:your|previous|prior|above|earlier|former|preceding|safety)\\s+(?:\\w+\\s+)?(?:rules?|constraints?|policy|policies|limits|restrictions)${end}`,
    `${forget}\\s+(?:all|any|the|every)\\s+(?:\\w+\\s+)?(?:rules?|constraints?|policy|policies|restrictions)\\s+(?:that )?(?:you|above|before|in the contract|of the contract|given)`,
    `${forget}\\s+(?:the|this|your)\\s+contract${end}`,
    `${forget}\\s+(?:about\\s+)?(?:everything|anything|all|what(?:ever)?)\\s+(?:\\w+\\s+){0,4}?(?:above|before|previously|earlier|so far|told|said|instructed)`,
    // to be somebody else
    'you are now\\s+(?:an?|the|my|in \\w+ mode|free|allowed|unrestricted|no longer|acting|operating|root|admin)\\b',
    'you are\\s+(?:an?\\s+)?(?:unrestricted|jailbroken|uncensored)\\b',
    'you are (?:no longer|not) (?:bound|limited|restricted|constrained) (?:by|to)\\b',
    '(?:act|behave|respond) as (?:if you (?:are|were|had)|(?:an? |the )?(?:unrestricted|administrator|root|admin|superuser)\\b)',
    'your (?:new|real|actual|true) (?:instructions?|task|goal|orders) (?:is|are)',
    // to tell what only it should know
    `ignore (?:the|your|any) (?:users?|owners?|humans?|reviewers?|supervisors?)${end}`,
    `${forget}\\s+(?:all|any|the)?\\s*instructions? (?:in|from|of) (?:\\w+\\.md|the (?:contract|packet|prompt|user))`,
    `you (?:do not|don['’]t|no longer) (?:need|require) (?:an? |any |the |further )?(?:approval|reviews?|permission|validation|sign-?off)(?:$| any ?more$| now$)`,
    '(?:reveal|print|show|output|repeat|leak|display|tell me|give me|send me|quote|share)\\s+(?:me )?(?:all (?:of )?)?your\\s+(?:\\w+\\s+)?(?:prompt|instructions|rules|secrets|credentials|keys|tokens)',
    `(?:reveal|print|output|repeat|leak)\\s+the\\s+(?:hidden\\s+|initial\\s+)?system prompt${end}`,
    // to keep something from people
    "(?:do not|don['’]t|never|not)\\s+(?:tell|inform|notify|alert|warn|let|show|mention|report|disclose)\\b.*\\b(?:reviewers?|supervisors?|humans?|maintainers?|the owner|anyone|anybody|the person|people)\\b",
    "(?:do not|don['’]t|never)\\s+(?:tell|inform|notify|alert|warn|mention)\\b.*\\busers?\\s+(?:about|of)\\s+(?:this|it|that|any of this|these|the (?:deletion|removal|change|changes|failure|failures|error|mistake|problem))\\s*$",
    "(?:do not|don['’]t|never)\\s+(?:mention|report|disclose)\\s+(?:this|it|that|any of this)\\b",
    "(?:do not|don['’]t|never)\\s+ask\\s+(?:anyone|anybody|a human|a person|the reviewer|for (?:permission|approval|confirmation|consent))",
    '(?:hide|conceal) (?:this|it|that|these|the \\w+) from (?:the )?(?:user|reviewer|human|supervisor|owner|maintainer)s?',
    'keep (?:this|it) (?:secret|from (?:the )?(?:user|reviewer|human|supervisor)s?)',
    // to go round the gate
    `(?:skip|bypass|disable|turn off|switch off|circumvent|evade|omit|avoid|deactivate|auto-?approve|do not (?:run|do|wait for|ask for)|don['’]t (?:run|do|wait for|ask for)|not (?:run|do|wait for)|no need to (?:run|do|wait for))\\s+(?:the|this|that|any|all|our|your|next|further)?\\s*(?:next |human |code |peer |final |approval |security |safety |pre-commit )*(?:reviews?|approvals?|gates?|validations?|sign-?offs?|sandbox(?:ing)?|audits?|permissions?|permission checks?|safety checks?|hooks?)${end}`,
    '(?:skip|bypass|disable|turn off|not run|do not run)\\s+(?:the |all )?(?:tests?|checks?)$',
    'say\\s+(?:that\\s+)?(?:all |the )*(?:tests?|checks?|validation)\\s+pass(?:es|ed)?$',
    'auto-?approve\\b',
    'approve\\s+(?:it|this|that|(?:the|this|that) (?:work|changes?|packet|task|submission|handoff|offer))\\s*(?:$|\\b(?:without|now|immediately|right away|at once|blindly|as is|anyway))',
    '(?:approve|merge|push|submit|commit|deploy)\\b.{0,40}\\bwithout\\s+(?:a |any |the |further )?(?:review|approval|asking|validation|validating|permission|reading|looking|checking|sign-?off)',
    '(?:pretend|claim)\\s+(?:that\\s+)?(?:it|they|the|all|everything)\\b.*\\b(?:validations?|tests?|checks?|reviews?|gate|ci|build)?\\s*(?:passed|passes|pass|succeeded|(?:is|are|was|were) (?:green|approved|done))\\s*$',
    'mark\\s+(?:it|this|the (?:validation|review|tests?|checks?|task|phase|gate))\\s+as\\s+(?:passed|approved|reviewed|verified|green)',
    // to carry secrets away
    `(?:send|post|upload|e-?mail|mail|forward|copy|report|exfiltrate|leak|paste|publish|transmit|push|scp)\\b.{0,60}${secrets}.{0,40}\\bto\\s+${away}`,
    `(?:read|print|dump|collect|cat|get|take|copy|list|gather|find|open)\\b.{0,60}${secrets}.{0,40}\\b(?:send|post|upload|e-?mail|forward|push)\\s+(?:it|them|this|these|all)\\s+to\\s+${away}`,
    'exfiltrate\\b',
    // to run what nobody has read
    '(?:(?:run|execute|start|call|type|try|do)\\s+)?`?\\s*(?:sudo\\s+)?(?:curl|wget)\\b[^|]*\\|\\s*(?:sudo\\s+)?(?:ba|z|da)?sh\\b',
    '(?:(?:run|execute|start|call|type|try|do)\\s+)?`?\\s*(?:sudo\\s+)?rm\\s+-(?:rf|fr)\\s+(?:--no-preserve-root\\s+)?(?:/|~)(?:\\*|\\s|`|$)',
  ].join('|')})`,
  'i',
);

/** Marks that only a conversation with a model has. */
const newOrders =
  /(?:^|[.;!\n]\s*)(?:your |here are (?:your |the )?)?new (?:system )?(?:instructions?|orders|prompt)\s*:/i;
const markup =
  /<\/?(?:system|assistant|developer|instructions?)>|\[\/?(?:INST|SYSTEM)\]|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|(?:^|\n)\s*(?:#{1,4}\s*)?(?:SYSTEM|DEVELOPER|ADMIN(?:ISTRATOR)?|ROOT)\s*:|(?:^|\n)\s*#{1,4}\s*(?:[Ss]ystem|[Dd]eveloper|[Aa]ssistant)\s*:|(?:^|\n)\s*(?:new )?system\s+(?:prompt|message|instructions?)\s*:/;

/** Elsewhere than at the head of a clause these only suggest it. */
const suggestive: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|earlier|above|preceding)\s+(?:instructions?|prompts?|rules|guidelines?)\b/i,
  /\b(?:curl|wget)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z)?sh\b/i,
  /(?:^|[.;!]\s+)(?:the |this )?(?:human |code )?(?:reviews?|approvals?|gate|sign-?off|approval requirement)\s+(?:is|are|was|were|has been|have been)\s+(?:lifted|waived|suspended|(?:no longer|not) (?:needed|required|necessary))\s*(?:$|[.;!])/i,
];
const wouldDo =
  /(?:^|[\s"“'`])(?:ignore|disregard|forget|reveal|skip|bypass|disable|approve|send|upload|you are now)\b/i;

/** Clauses, also with what `and` joins: "send a and b to c" is one order. */
function readings(text: string): string[] {
  const clauses = clausesOf(text);
  return [...clauses, ...text.split(/[.;!?\n](?:\s|$)/).flatMap((sentence) => pieces(sentence.trim()))];
}

function isOrdered(text: string): boolean {
  return readings(text).some((clause) => {
    const bare = clause.replace(/^[-*•>\s]+/, '');
    const order = bare.replace(leadIn, '');
    return orders.test(order) || (order !== bare && orders.test(bare));
  });
}

/** How sure it is that a text gives orders. */
export function orderIn(given: string): 'order' | 'suggestion' | undefined {
  const text = evenly(given);
  const plain = withoutMarks(text);
  if (markup.test(plain) || newOrders.test(plain) || isOrdered(plain)) return 'order';
  // A command to run is written in code marks, and meant.
  if (/^\W*(?:please |first |now |then )*(?:run|execute)\b/i.test(text) && isOrdered(text)) return 'order';
  if (markup.test(text) || readings(text).some((part) => suggestive.some((pattern) => pattern.test(part))))
    return 'suggestion';
  return wouldDo.test(text) && plain !== text && quotedOrder(text) ? 'suggestion' : undefined;
}

function quotedOrder(text: string): boolean {
  return [...text.matchAll(/["“`]([^"”`\n]+)["”`]/g)].some(([, quoted = '']) => isOrdered(quoted));
}

export const imperativeInData: Rule = {
  id: 'imperative-in-data',
  title: 'Claims inform; they do not give orders to the next agent',
  about: 'claims',
  weight: { strict: 'error' },
  check: ({ packet }) =>
    [
      ...claimsOf(packet),
      ...packet.artefacts.map((artefact, i) => ({ path: `artefacts[${i}].why`, text: artefact.why ?? '' })),
    ].flatMap(({ path, text }): Hit[] => {
      const found = orderIn(text);
      if (found === undefined) return [];
      const shown = `"${text.trim().slice(0, 80)}"`;
      if (found === 'order')
        return [
          {
            path,
            text: `${shown} gives orders that only a contract may give.`,
            fix: 'Say what is; what must be done belongs to the contract, which a person owns.',
          },
        ];
      return [
        {
          path,
          text: `${shown} holds words that an agent could take for orders.`,
          fix: 'Say what is, in your own words.',
          atMost: 'warning',
        },
      ];
    }),
};
