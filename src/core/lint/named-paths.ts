/**
 * Files that a text names, and what it says about their being there. A word is taken for a path if it has the ending of a known kind
 * of file, or any ending and a first folder that exists. Branches, addresses, media types, versions and patterns are no paths, nor is
 * what begins at the root of the machine. A path need not be there if the words that govern it say so:
 *   1. it is gone: "removed PATH", "PATH was deleted", "renamed PATH to …", "moved … from PATH", "no longer imports PATH"
 *   2. it is yet to come: "will add PATH", "PATH is to be written", "PATH is missing"
 *   3. what is under way or left to do makes it: "write PATH", "split … into PATH", "extract … to PATH".
 * That something is written or added *in* a file leaves open whether the file is there.
 */
import { evenly } from './clauses.ts';

export interface NamedPath {
  readonly path: string;
  /** With a folder or in code marks: nothing else can be meant. */
  readonly sure: boolean;
  readonly said: 'there' | 'maybe';
}

const known: ReadonlySet<string> = new Set(
  `c cc cfg conf cpp cs css csv cts cxx dart env erl ex exs gif go gradle graphql h hpp hs html ini ipynb java jpeg jpg js json json5 jsonl
  jsx kt kts less lock lua md mdx mjs cjs mts php pl png proto ps1 py pyi r rb rs rst sass scala scss sh sql svelte svg swift tf toml ts tsx
  txt vue xml yaml yml zig`
    .split(/\s+/)
    .filter((ending) => ending !== ''),
);
/** Endings that a bare name may have: others are more often something else, such as a member of an object. */
const bare: ReadonlySet<string> = new Set(
  'cjs css cts go html java js json jsx md mjs mts py rb rs sh sql toml ts tsx yaml yml'.split(' '),
);

/** Products that are written like a file. */
const products: ReadonlySet<string> = new Set(
  'alpine angular backbone bun chart d3 deno discord electron ember express fastify handlebars hapi knockout koa matter moment mustache nest next node nuxt p5 pixi preact react require solid svelte three vue'
    .split(' ')
    .map((name) => `${name}.js`),
);

const word = /[\w@+~./-]+/g;
const partOfMore = /[*{}<>$[\]\\%:=?#&]/;
const branch =
  /\b(?:branch(?:es)?|origin|upstream|remote|tags?|ref|checkout|check out|cherry-pick(?:ed)? from)\s+$/i;

/** More than these are not looked at in one text. */
const absentMax = 100;

/** The paths that are named, do not exist, and are not said to be absent. */
export function missingPathsIn(given: string, options: PathOptions): NamedPath[] {
  const text = evenly(given);
  return [...text.matchAll(word)]
    .flatMap((match) => {
      const path = pathFrom(match, text, options);
      return path === undefined || options.exists(path) !== false ? [] : [{ path, match }];
    })
    .slice(0, absentMax)
    .flatMap(({ path, match: { index: at, 0: token } }) => {
      const said = saidOf({
        before: sentenceBefore(text, at),
        after: sentenceAfter(text, at + token.length),
        ahead: options.ahead,
      });
      if (said === 'absent') return [];
      return [{ path, sure: path.includes('/') || text[at - 1] === '`', said }];
    });
}

export interface PathOptions {
  readonly exists: (path: string) => boolean | undefined;
  /** The text is about what is under way or left to do. */
  readonly ahead: boolean;
}

function pathFrom(match: RegExpExecArray, text: string, { exists }: PathOptions): string | undefined {
  // Most words have no ending, and need no further look.
  if (!match[0].includes('.')) return undefined;
  const before = text[match.index - 1] ?? '';
  const after = text[match.index + match[0].length] ?? '';
  if (partOfMore.test(before) || (partOfMore.test(after) && after !== ':')) return undefined;
  const token = match[0].replace(/[.,-]+$/, '').replace(/^\.\//, '');
  const segments = token.split('/');
  const [first = ''] = segments;
  const last = segments.at(-1) ?? '';
  const ending = /[^.]\.([A-Za-z]\w{0,7})$/.exec(last)?.[1]?.toLowerCase();
  if (ending === undefined || segments.includes('') || segments.includes('..')) return undefined;
  if (/^[@~+-]/.test(token)) return undefined;
  if (products.has(token.toLowerCase())) return undefined;
  if (segments.length === 1)
    return bare.has(ending) && /^[\w@-]+(?:\.[\w-]+)*$/.test(token) ? token : undefined;
  const isFolder = exists(first) === true;
  // github.com/acme/app.git, cdn.example.com/index.html
  if (!isFolder && /^[\w-]+(?:\.[\w-]+)+$/.test(first)) return undefined;
  if (/^(?:origin|upstream|refs|https?)$/.test(first) && !isFolder) return undefined;
  if (branch.test(text.slice(Math.max(0, match.index - 40), match.index))) return undefined;
  return known.has(ending) || isFolder ? token : undefined;
}

/** Dots inside names do not end a sentence. */
const sentenceEnd = /[;!?\n]|\.(?=\s|$)/g;

/** What governs a path stands near it. */
const charsAround = 300;

function sentenceBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - charsAround), at);
  const last = [...before.matchAll(sentenceEnd)].at(-1);
  return last === undefined ? before : before.slice(last.index + 1);
}

function sentenceAfter(text: string, from: number): string {
  const rest = text.slice(from, from + charsAround);
  const stop = rest.search(sentenceEnd);
  return stop === -1 ? rest : rest.slice(0, stop);
}

/** Between a verb and the path it governs: articles, kinds of files, and other paths. */
const object =
  '(?:\\s+(?:the|a|an|old|new|now|unused|dead|empty|obsolete|legacy|both|all|also|files?|modules?|scripts?|tests?|documents?|pages?|and|or|its|our|their|first|second|then|[\\w@.-]*/[\\w@./-]+|[\\w-]+\\.\\w{1,8}),?)*\\s+[`"\'(]?$';

const goneBefore = new RegExp(
  `\\b(?:${[
    '(?:delet(?:e|ed|es|ing)|remov(?:e|ed|es|ing)|drop(?:ped|s|ping)?|renam(?:e|ed|es|ing)|mov(?:e|ed|es|ing)|replac(?:e|ed|es|ing)|retir(?:e|ed|es|ing)|merg(?:e|ed|es|ing)|inlin(?:e|ed|es|ing)|convert(?:ed|s|ing)?|migrat(?:e|ed|es|ing)|port(?:ed|s|ing)?|split(?:s|ting)?|supersed(?:e|ed|es|ing)|purg(?:e|ed|es|ing)|(?:get|got|gets|getting) rid of)',
    'no longer \\w+',
    'instead of|in place of|formerly|previously|used to be(?: in)?|was in|without|there is no|there was no|nothing of|does not need|stopped using|independent of|replaces|supersedes|successor of',
  ].join('|')})${object}`,
  'i',
);
const goneFrom = new RegExp(
  `\\b(?:mov|renam|migrat|port|convert|transfer|switch|chang|took|taken)(?:e|ed|es|ing|s)?\\b[^;]*\\bfrom${object}`,
  'i',
);
/** Each part of it ends where a word does: cut up at will, a list of paths could be read in more ways than anybody has time for. */
const list =
  '(?:[`"\')\\s,]|\\b(?:and|or)\\b(?![@./-])|[\\w@.-]*/[\\w@./-]+(?![\\w@./-])|[\\w-]+\\.\\w{1,8}(?=[\\s,`]))*';
const goneAfter = new RegExp(
  `^${list}(?:(?:is|was|are|were|has been|have been|got)\\s+(?:now |both |all |also |already |then )*(?:gone|deleted|removed|dropped|renamed|moved|replaced|merged|retired|inlined|converted|migrated|split|no more|no longer (?:there|needed|used|part))|no longer exists?|(?:disappeared|vanished))\\b`,
  'i',
);
const comingAfter = new RegExp(
  `^${list}(?:[^,;]*\\b)?(?:(?:is|are|remains?|still|has|have|needs?|ha(?:s|ve) yet|yet)\\s+(?:still |yet )*to be (?:written|created|added|made|generated|introduced|drafted|built|split off|extracted)|(?:is|are)\\s+(?:still |yet )*(?:missing|not (?:there|written|created|made|added)\\b|unwritten)|(?:does|do) not (?:yet )?exist|doesn['’]t (?:yet )?exist|will be (?:written|created|added|made|generated|introduced))`,
  'i',
);
const comingBefore = new RegExp(
  `\\b(?:will|shall|should|going to|have to|has to|needs? to|plan(?:s|ned)? to|remains? to|yet to|to be)\\s+(?:write|create|add|generate|introduce|draft|make|built?)${object}`,
  'i',
);
const making =
  '(?:writ(?:e|ing)|creat(?:e|ing)|add(?:ing)?|generat(?:e|ing)|introduc(?:e|ing)|draft(?:ing)?|scaffold(?:ing)?|produc(?:e|ing)|start(?:ing)?|compos(?:e|ing)|record(?:ing)?|sav(?:e|ing)|emit(?:ting)?)';
const aheadBefore = new RegExp(`\\b${making}${object}`, 'i');
/** What is moved, split or written to a place makes that place. */
const aheadInto = new RegExp(
  `\\b(?:${making}|mov(?:e|ing)|split(?:ting)?|extract(?:ing)?|cop(?:y|ying)|put(?:ting)?|renam(?:e|ing)|factor(?:ing)?|pull(?:ing)?|convert(?:ing)?|port(?:ing)?|break(?:ing)?|export(?:ing)?|dump(?:ing)?|separat(?:e|ing)|turn(?:ing)?|collect(?:ing)?)\\b[^;]*\\b(?:into|to|as|under|onto|called|named|out to)${object}`,
  'i',
);
const aNewOne = new RegExp(
  `\\bnew\\s+(?:files?|modules?|scripts?|tests?|documents?|pages?)?(?:\\s+(?:called|named|at|in))?\\s*[\`"'(]?$`,
  'i',
);
/** Something is made in a file: of a file that is there, or with it. */
const aheadIn = new RegExp(
  `\\b(?:${making}|document(?:ing)?|implement(?:ing)?|put(?:ting)?)\\b[^;]*\\b(?:in|at|inside|within)${object}`,
  'i',
);

function saidOf({
  before,
  after,
  ahead,
}: {
  readonly before: string;
  readonly after: string;
  readonly ahead: boolean;
}): NamedPath['said'] | 'absent' {
  if (goneBefore.test(before) || goneFrom.test(before) || goneAfter.test(after)) return 'absent';
  if (comingAfter.test(after) || comingBefore.test(before)) return 'absent';
  if (!ahead) return 'there';
  if (aheadBefore.test(before) || aheadInto.test(before) || aNewOne.test(before)) return 'absent';
  return aheadIn.test(before) ? 'maybe' : 'there';
}
