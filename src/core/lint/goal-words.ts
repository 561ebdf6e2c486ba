/**
 * What the words of a goal contribute. Concrete words name something that can be seen: a thing, an action, a property. The others
 * praise ("robust"), point in a direction ("improve"), stand for anything ("things", "system") or join the rest.
 */
import { isVerb } from './actions.ts';

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}

const joining = setOf(
  `a an the this that these those it its itself they them their there here he she his her i we you our your my me us who whom whose
  which what when where why how if then else than so and or but nor not no as at by for from in into of off on onto out over per to up with within
  without about above across after again against along among around before behind below between beyond down during near since through
  under until upon via toward towards is are was were be been being am do does did done doing has have had having can could may might
  must shall should will would just only also very much more most less least too quite even still yet now always ever soon later lately
  recently all any both each every either neither some such same other another own once while because though although unless whether
  next last way ways far able rid both etc need needs needed want wants wanted like well`,
);

/** Praise: whether it applies is a matter of taste. */
const praise = setOf(
  `good better best great nice nicer nicely fine finer ok okay right properly proper correct correctly perfect perfectly robust solid
  clean cleaner cleanly maintainable happy happier satisfied pleased delighted love loves loved likes liked enjoy enjoys enjoyable
  appropriate appropriately sensible sensibly reasonable smooth smoother smoothly stable reliable reliably reliability stability
  quality qualities ready readiness production modern intuitive easy easier easily simple simpler consistent consistently elegant
  professional polished pretty beautiful usable usability friendly user-friendly performant performance efficient efficiently
  effective effectively scalable scalability sustainable secure safer healthy strong stronger decent excellent optimal ideal
  acceptable suitable adequate flawless flawlessly seamless seamlessly shape standard standards faster fast quick quicker snappy
  designed thought-out world-class state-of-the-art complete completely fully overall generally general improvement improvements
  important useful helpful meaningful valuable expected possible necessary sense feel feels feeling concerns concern complain
  complains complaints interruption debt technical pleasant pleasing comfortable readable readability structured well-structured organised
  organized neat painless annoyed annoying frustrating frustrated resilient resilience flexible flexibility extensible leaner lighter
  delightful attractive appealing engaging trustworthy mature maturity sane saner understandable clear clearer clarity powerful rich
  richer sophisticated smart smarter intelligent compelling competitive practices practice level future future-proof potential bit
  little somewhat maintainability testable sound tasteful worthy success successful successfully excited confident confidence trust trusts health worry worries annoyance annoyances high highest joy quickly value values order`,
);

/** Direction without an end, wherever it stands. */
const direction = setOf(
  `improve improves improving enhance enhances enhancing optimize optimise optimizing optimising polish polishing modernize modernise
  streamline streamlining deal continue continues continuing carry keep keeps progress proceed finish wrap help helps think consider try
  tries trying take takes care sort get gets getting make makes making bring brings ensure ensures look looks looking work works working
  worked go goes going strengthen boost evolve advance further tackle figure see do perform performs behave behaves
  elevate rethink reimagine revamp overhaul sharpen stabilise stabilize iterate brainstorm strive aim pursue facilitate leverage uplevel
  revive invest unlock experiment attempt accelerate ease foster drive manage mature`,
);

/** The same, but only as the verb of the whole: elsewhere these say what happens. */
const directionAtHead = setOf(
  `handle support address refactor tidy move push investigate explore raise reduce fix solve find revisit rework review maximize minimise
  minimize develop build resolve clean have prepare follow give increase decrease simplify harden speed study research understand plan
  discuss begin start extend expand maintain grow`,
);

/** Names of anything. */
const anything = setOf(
  `thing things stuff everything anything something nothing whatever wherever whoever everyone everybody anyone anybody nobody someone
  people person user users customer customers team teams stakeholder stakeholders client clients system systems app apps application
  applications project projects product products code codebase software feature features functionality solution solutions problem problems issue issues bug bugs case cases situation situations
  circumstances area areas part parts aspect aspects result results outcome state condition experience ux process processes work task
  tasks job item items rest remaining left end release releases demo launch week month today tomorrow feedback options option
  use uses using used time times day days place shipped ship backlog agent stopped old
  edge flaky behaviour behavior back forward everywhere somewhere somehow anywhere cleanup cleanups round throughout`,
);

const openHead = setOf('something somehow whatever');
/** These can also begin an exact goal: "keep the cart after logout". */
const plainHead = setOf('take get make bring ensure keep go do see');
/** "Keep moving" and "get going" go nowhere. */
const onAndOn = /^(?:keep|get|go)\s+(?:on\s+)?\w+ing\b/i;

const happening =
  /\b(?:can|cannot|must|only|never|always|no longer|when|whenever|while|after|before|until|unless|if|instead of|without|from .+ to)\b/i;

export interface GoalWords {
  readonly all: number;
  readonly concrete: number;
  readonly praise: number;
  /** It says that something can, must or does happen, or when. */
  readonly happens: boolean;
  /** `open`: a verb that never says how far. `maybe`: one that needs more words to do so. */
  readonly head: 'open' | 'maybe' | 'other';
}

export function readGoal(goal: string): GoalWords {
  const words =
    goal
      .toLowerCase()
      .replace(/\bhave an?(?:other)? look\b/, 'look')
      .match(/[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu) ?? [];
  const at = words.findIndex((word) => !['please', 'to', 'we', 'should', 'just'].includes(word));
  const first = words[at] ?? '';
  return {
    all: words.length,
    concrete: new Set(
      words.filter(
        (word, i) =>
          !joining.has(word) &&
          !praise.has(word) &&
          !direction.has(word) &&
          !anything.has(word) &&
          !(i === at && directionAtHead.has(word)),
      ),
    ).size,
    praise: words.filter((word) => praise.has(word)).length,
    happens: happening.test(goal) || words.some((word, i) => i !== at && isVerb(word)),
    head: headOf(first, goal),
  };
}

function headOf(first: string, goal: string): GoalWords['head'] {
  if (onAndOn.test(goal.trim())) return 'open';
  if (plainHead.has(first) || directionAtHead.has(first)) return 'maybe';
  return openHead.has(first) || direction.has(first) || praise.has(first) ? 'open' : 'other';
}

const foreign = setOf(
  `der die das und ist wird werden nicht mit für auf ein eine einen einem den dem des im von zur zum als nach bei wenn sich kann können le la
  les une est sont dans sans sur avec pour qui que des du au aux ne pas el los las del con por para se una es son cuando il lo gli che di della
  nel per con sono não com uma os ao het een van niet wordt zijn och att är som på med det og ikke til ikkje nie jest się na do że w z`,
);
const english = setOf(
  `the and is are of to with for from that this when if not no without every each by can must should on be has have it all any after before
  into only never at as new`,
);

/** Whether the lists above can judge a text. Of other languages they know nothing. */
export function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = text.match(/\p{Script=Latin}/gu) ?? [];
  if (latin.length * 2 < letters.length) return false;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const count = (of: ReadonlySet<string>): number => words.filter((word) => of.has(word)).length;
  const home = count(english) + words.filter((word) => praise.has(word) || direction.has(word)).length;
  return home >= count(foreign) && (home > 0 || !/[^\x00-\x7f]/.test(text));
}
