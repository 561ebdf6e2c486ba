/**
 * Whether a text says that checks pass, now and without conditions. It is read clause by clause; each says that they pass, that they
 * do not, or neither, and the last word counts: "they were failing; they now pass" is a claim, "they passed; now three fail" is none.
 * A clause says that they pass if it names checks, or a command that runs them, and a pass of these, unless
 *   1. a word before the pass takes it back or puts it off: "not", "should", "once", "make sure", "whether"
 *   2. it speaks of a part: "most", "30 of 32", "except"
 *   3. it speaks of the past: "before the rebase", "until the merge"
 *   4. to pass means to hand something on: "passes the token".
 */
import { clausesOf, withoutQuotes } from './clauses.ts';

/** Commands that run checks, by the look of them. */
const commonCommands =
  /\b(?:(?:npm|pnpm|yarn|bun|deno|make|just|cargo|go|dotnet|mvn|gradle|\.?\/?gradlew|mix|rake|task|tox|nox|poetry|uv|npx|bundle exec|python3? -m)\s+(?:run\s+)?(?:tests?|check|lint|build|typecheck|type-check|validate|verify|ci|vet|clippy|pytest|unittest|rspec|jest|vitest|tsc|eslint)(?::[\w-]+)*|pytest|vitest|jest|mocha|rspec|phpunit|ctest|eslint|tsc|ruff|mypy|golangci-lint)(?![\w./-])(?:\s+(?:--?[\w-]+(?:=\S+)?|\.\/\S+))*/gi;
const command = '‹command›';

const noun = `(?:tests?|specs?|suites?|checks?|ci|builds?|lint(?:er|ing)?|type-?check(?:s|ing|er)?|typecheck|validations?|pipelines?|workflows?|${command})`;
const about = `(?:^|[^\\w‹›-])${noun}(?![\\w‹›/-]|\\.\\w)`;
const pronoun =
  '(?:^|\\W)(?:everything|they|(?:all|each|every one|none|both|\\d+)(?: of (?:it|them|these|those))?|it all|these|those)\\s+';
const adverbs =
  '(?:(?:all|both|each|now|again|still|finally|also|already|consistently|reliably|cleanly|do|does|did|have|has|had|just|currently|always|fully|indeed|both times|then|too|locally|there|here)\\s+)*';
const soThat = '[^,;]{0,60}?';
/** To pass, and not to pass something on: what follows tells. */
const passing =
  '(?<!\\b(?:for|of|about|with|the|a|and|to)\\s)(?:pass(?:es|ing)?|(?<!\\b(?:is|are|was|were|be|been|being|gets?)\\s)passed|passed(?=\\s*$))(?=\\s*$|\\s*[)\\]✅✓]|\\s+(?:now|again|locally|on|in|with|without|at|after|before|when|whenever|if|once|as|since|under|for|both|too|also|except|twice|cleanly|reliably|consistently|everywhere|every|here|there|today|fully|completely|successfully|all|until|while|against|from|then|so|yet|because|first|only|unless|apart|this|these|right|just|fine|\\d)\\b)';
const wellWords = '(?:green|clean|ok(?:ay)?|happy|good|fine|successful|error-free|passing)';
const well = `(?:(?:is|are|was|were|be|been|stays?|remains?|looks?|runs?|ran|came (?:back|out|up)|comes? (?:back|out|up)|turned|went|goes|finish(?:es|ed)|reports?)\\s+${adverbs}(?:\\w+\\s+)?${wellWords}|(?:\\w+ly\\s+)?(?:green|clean|ok(?:ay)?))(?=\\s*$|\\s*[)✅✓]|\\s+(?:now|again|locally|on|in|with|without|at|after|before|when|if|once|as|since|under|for|too|also|twice|everywhere|every|here|there|today|until|while|so|because|all|except|and|only|unless)\\b)`;
const ended =
  '(?:exit(?:s|ed)?|returns?|returned|ends?|ended|finish(?:es|ed)?|complet(?:es|ed))\\s+(?:with\\s+|successfully\\s+)?(?:an?\\s+)?(?:exit\\s+)?(?:code\\s+|status\\s+)?(?:of\\s+)?(?:0|zero|success(?:fully)?)(?![\\w.])';
const faultless =
  '(?:without|with (?:no|0|zero)|no|0|zero)\\s+(?:any\\s+|a single\\s+|a\\s+|test\\s+)?(?:errors?|failures?|failing|problems?|fail(?:s|ed)?|red)(?!\\w)';

const passes: readonly RegExp[] = [
  `${about}${soThat}\\b(?:${passing}|succeed(?:s|ed)?(?!\\w))`,
  `${pronoun}${adverbs}(?:${passing}|succeed(?:s|ed)?(?!\\w)|${well})`,
  `${about}${soThat}\\s${well}`,
  `${about}${soThat}\\b${ended}`,
  `${about}${soThat}[^\\w]${faultless}`,
  `(?:^|\\W)(?:no|0|zero|not (?:a single|one|any)|none of the)\\s+(?:\\w+\\s+)?(?:(?:tests?|specs?|checks?)\\s+(?:is |are )?fail(?:s|ed|ing|ures?)?|fail(?:ing|ed)\\s+(?:tests?|specs?|checks?))(?!\\w)`,
  `(?:^|\\W)pass(?:es|ed|ing)?\\s+(?:all|the (?:whole|entire|full)|every)\\s+(?:of )?(?:the |our |its |\\d+ )?(?:\\w+\\s+)?${noun}`,
  `(?:^|\\W)(?:got|made|brought|turned)\\s+(?:all |the |our |every |whole |entire )*(?:\\w+\\s+)?${noun}\\s+(?:to |back to |all )*(?:pass|green|succeed)(?!\\w)`,
  `(?:^|\\W)(?:has|have|had|with)\\s+(?:an? )?(?:all )?(?:passing|green)\\s+(?:\\w+\\s+)?${noun}`,
  `^(?:all|everything|it all|now|back)\\s+${adverbs}(?:is |are )?(?:back to )?green`,
  `(?:^|\\D)\\d+\\s+(?:passed|passing)(?!\\w)`,
  `${about}\\s*[:=]?\\s*(?:✅|✓|✔|👍)`,
  `(?:^|\\W)(?:no|0|zero) (?:errors?|failures?) (?:in|from|of) (?:the |our )?(?:\\w+ )?${noun}`,
  `^(?:none|nothing|0|zero|no (?:one|errors?|failures?)) (?:fail(?:s|ed|ing)?|is red)$`,
  '^types? check$',
].map((source) => new RegExp(source, 'i'));

/** "tests: ok" is one clause, though a colon ends others. */
const tally = new RegExp(
  `(${about})\\s*[:=]\\s*(?=(?:all )?(?:ok|okay|pass(?:ed|es|ing)?|green|clean|success|✅|✓|✔)(?!\\w))`,
  'gi',
);
const noErrors = /^(?:with |and )?(?:no|0|zero|without(?: any)?)\s+(?:errors?|failures?|problems?)$/i;
const itPassed =
  /^(?:it|this|that)\s+(?:has\s+|was\s+|is\s+)?(?:passed|passes|succeeded|succeeds|successful|green)\b/i;
const wasRun = new RegExp(
  `\\b(?:ran|reran|run|running|executed)\\b.*${noun}|${noun}.*\\b(?:ran|run)\\b`,
  'i',
);

/** What takes a pass back or puts it off, if it stands before it. */
const putOff =
  /\b(?:not|never|cannot|nothing|neither|nor|hardly|barely|rarely|should|must|will|would|could|can|may|might|shall|needs? to|ha(?:s|ve|d) to|yet to|expected|supposed|until|once|if|unless|when|whenever|whether|before|after which|so that|so|as soon as|in order|(?:assert|expect|demand|require|sa(?:y|id)|specif(?:y|ie)|ask)(?:s|ed)? that|make|makes|making|get|gets|getting|let|lets|trying|try|tries|want|wants|wanted|ensure|ensures|verify|verifies|check that|checks that|check if|see if|wait|waits|waiting|how to|too \w+ to|unclear|unknown|unsure|hope|hopes|assume|assumes|assuming|expect|requires?|to (?:have|see|bring|turn))\b|n['’]t\b/i;
/** Ways of saying it that only sound like a condition. */
const plainSaying =
  /\b(?:(?:you(?:'ll| will| can| should)?|one can|we can|i can|i)\s+(?:now\s+)?(?:see|find|notice|confirm|verified|checked|confirmed|report)\s+(?:that\s+)?|verified that |confirmed that |checked that |so (?=all |the |now |every))/gi;
const noneOfThem = new RegExp(
  `\\b(?:no|none of(?: the| them)?|not (?:all|every|a single|one|any)|hardly any|few(?: of)?|neither)\\s+(?:the |our |these )?(?:\\w+\\s+){0,2}?${noun}${soThat}\\b(?:pass|succeed|green|clean)|^none\\b.*\\b(?:pass|green)`,
  'i',
);
const exception = /\b(?:except|excluding|apart from|other than|all but|but for|besides|save for)\b/i;
const part = new RegExp(
  `\\b(?:most|some|half|many|several|(?:nearly|almost) (?:all|every)|part|a few)(?: of)?(?: the| our| these)?\\s+(?:\\w+\\s+){0,2}?(?:${noun}|pass|green)`,
  'i',
);
const share = new RegExp(
  `(\\d+)\\s*(?:/|of|out of)\\s*(?:the\\s+)?(\\d+)\\s+(?:\\w+\\s+){0,2}?(?:${noun}|pass|green)|${noun}\\W+(\\d+)\\s*(?:/|of)\\s*(\\d+)`,
  'i',
);
const countWord = '(?:one|two|three|four|five|six|seven|eight|nine|ten)';
const someOf = new RegExp(
  `^(?:only )?${countWord} (?:out )?of\\b|\\b${countWord} (?:out )?of (?:the |our )?(?:\\w+ )?${noun}`,
  'i',
);
const percent = new RegExp(
  `(\\d+(?:\\.\\d+)?)\\s*(?:%|percent)\\s+(?:of )?(?:the |our )?(?:\\w+\\s+)?${noun}`,
  'i',
);
/** Of what was so once, only a verb of the past can speak. */
const wasSo = /\b(?:passed|succeeded|was|were|used to|had|exited|returned|ran|failed)\b/i;
const past =
  /(?<!\b(?:as|like) )\b(?:before|until|till|used to|yesterday|at first|previously|earlier|formerly|originally|back then|last (?:week|time|night|month)|at the time|in the past)\b/i;
const present = /\b(?:now|again|still|today|currently|any more)\b/i;
/** After the pass: whether it holds is left open. */
const condition =
  /\b(?:if|once|unless|as soon as|provided|assuming)\b(?! (?:you )?(?:run|re-?run|started|executed))|\bonly (?:if|when|with|on|after|in)\b/i;

const failing =
  "(?:fail(?:s|ed)?|(?:is|are|was|were|keeps?|still|stays?)\\s+(?:\\w+\\s+)?(?:failing|red|broken)|(?:do|does|did|is|are|was|were|has|have)(?:\\s+not|n['’]t)\\s+(?:\\w+\\s+)?(?:pass|succeed|green|clean)\\w*)(?!\\w)";
const fails: readonly RegExp[] = [
  `${about}(?:(?!\\b(?:that|which|who)\\b)[^,;]){0,40}?\\b${failing}`,
  `${pronoun}${adverbs}${failing}`,
  `^(?:now\\s+)?(?:one|two|three|four|five|six|some|many|\\d+)(?:\\s+(?:of them|others?|${noun}))?\\s+(?:still\\s+|now\\s+)?(?:fail(?:s|ed|ing)?|(?:is|are)\\s+(?:red|failing))(?=$|\\s+(?:in|on|at|with|because|when|now|still|again)\\b)`,
  '^(?:except|apart from|other than|all but)\\b',
  '^(?:with )?[1-9]\\d* (?:failed|failing|failures?|errors?)(?: left| remain(?:s|ing)?)?$',
  '^\\S+\\.\\S+ (?:still )?fail(?:s|ed)$',
  '^(?:still |now |they )?fail(?:s|ed)? (?:in|on|with|when|under)\\b',
].map((source) => new RegExp(source, 'i'));
/** A failure that is spoken of, not told. */
const spokenOf = /\b(?:why|that|which|how|where|when|if|fixed|mended|repaired|because)\b.*\bfail/i;
const noFail = /\b(?:no|none|not (?:a single|one)|nothing|0|zero|never)\b.*\bfail/i;

/** `commands`: those of the contract, as typed. */
export function claimsSuccess(text: string, commands: readonly string[] = []): boolean {
  let seen = withoutQuotes(text).replaceAll('`', '');
  for (const one of commands.filter((each) => /[ ./-]/.test(each)).toSorted((a, b) => b.length - a.length))
    seen = seen.replaceAll(one, ` ${command} `);
  seen = seen.replaceAll(commonCommands, ` ${command} `).replaceAll(tally, '$1 is ');
  if (!outcome.test(seen)) return false;
  let last: boolean | undefined;
  let ranBefore = false;
  for (const clause of clausesOf(seen)) {
    last = verdictOn(clause, ranBefore) ?? last;
    ranBefore ||= wasRun.test(clause);
  }
  return last === true;
}

/** Without one of these a clause says nothing of how checks ended. */
const outcome =
  /pass|green|succe|clean|\bok|happy|good|fine|exit|return|end|finish|complet|error|fail|problem|✅|✓|✔|👍|check|red|broken|except|apart|other than|all but/i;

/** True: it says that they pass. False: that they do not. */
function verdictOn(given: string, ranBefore: boolean): boolean | undefined {
  if (!outcome.test(given)) return undefined;
  if (ranBefore && (noErrors.test(given) || itPassed.test(given))) return true;
  // A method of HTTP is no verb.
  const clause = given.replaceAll(plainSaying, ' ').replaceAll(/\bGET\b/g, ' ');
  for (const pattern of passes) {
    const match = pattern.exec(clause);
    if (match !== null && isAsserted(clause, match)) return true;
  }
  const told =
    fails.some((pattern) => pattern.test(clause)) && !noFail.test(clause) && !spokenOf.test(clause);
  return told && !isPast(clause) && !putOff.test(clause.replaceAll(negation, ' ')) ? false : undefined;
}

const negation = /\bnot\b|n['’]t\b/gi;

function isPast(clause: string): boolean {
  return past.test(clause) && wasSo.test(clause) && !present.test(clause);
}

function isAsserted(clause: string, match: RegExpExecArray): boolean {
  const end = match.index + match[0].length;
  const upTo = clause.slice(0, end);
  const withoutFailure = /\b(?:no|0|zero|none|not (?:a single|one))\b[^,]*\bfail/i.test(upTo);
  const before = withoutFailure ? upTo.replaceAll(/\bnot (?:a single|one)\b|\bnothing\b/gi, ' ') : upTo;
  if (putOff.test(before) || condition.test(clause.slice(end))) return false;
  if (!withoutFailure && noneOfThem.test(upTo)) return false;
  if (exception.test(clause) || part.test(clause) || someOf.test(clause) || isPast(clause)) return false;
  const [, some, all, someAfter, allAfter] = share.exec(clause) ?? [];
  if (some !== all || someAfter !== allAfter) return false;
  return Number(percent.exec(clause)?.[1] ?? 100) === 100;
}
