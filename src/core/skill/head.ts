/**
 * The head of a SKILL.md: lines of YAML between two lines of `---`, of which programs read a name and a description. They differ in what
 * they do without. Claude Code takes the name of the folder and the first words of the text instead. The others pass a skill over that
 * has no description, most one without a name, and some one that begins with a byte order mark. So a head is completed
 * before it is written for a program, and is otherwise left as it is.
 */
import { cut } from '../base/text.ts';

export interface SkillHead {
  readonly name: string | null;
  readonly description: string | null;
  /** What else it sets: tools that it may use unasked, hooks. By the names of the fields. */
  readonly sets: readonly string[];
}

const headCharsMax = 65_536;
const descriptionCharsMax = 200;
/** Fields that only describe. */
const plain: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'version',
]);

export function headOf(text: string): SkillHead {
  const { head } = parted(text);
  const fields = fieldsOf(head ?? []);
  return {
    name: fields.get('name') || null,
    description: fields.get('description') || null,
    sets: [...fields.keys()].filter((key) => !plain.has(key)),
  };
}

/** The same text with a name and a description where it has none. */
export function withHead(text: string, folder: string): string {
  const whole = withoutMark(text);
  const { name, description } = headOf(whole);
  if (name !== null && description !== null) return whole;
  const { head, body } = parted(whole);
  const lacking = [
    ...(name === null ? [['name', folder] as const] : []),
    ...(description === null ? [['description', firstWords(body) || folder] as const] : []),
  ];
  const kept = (head ?? []).filter((line) => !lacking.some(([key]) => isField(line, key)));
  // A text in JSON is one in YAML.
  const added = lacking.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return ['---', ...added, ...kept, '---', ...(head === null ? [''] : []), body].join('\n');
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The head line by line, null where there is none, and what follows it. */
function parted(given: string): { readonly head: readonly string[] | null; readonly body: string } {
  const text = withoutMark(given);
  const found = /^---[ \t]*\r?\n(?:([^]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/.exec(text.slice(0, headCharsMax));
  if (found === null) return { head: null, body: text };
  const lines = found[1] === undefined ? [] : found[1].split(/\r?\n/);
  return { head: lines, body: text.slice(found[0].length) };
}

function isField(line: string, key: string): boolean {
  return line.startsWith(`${key}:`);
}

function fieldsOf(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string[]>();
  let open: string[] | undefined;
  for (const line of lines) {
    const begun = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/.exec(line);
    if (begun !== null) {
      open = [begun[2] ?? ''];
      fields.set(begun[1] ?? '', open);
    } else if (/^[ \t]/.test(line)) open?.push(line.trim());
  }
  return new Map([...fields].map(([key, parts]) => [key, valueOf(parts)]));
}

function valueOf([first = '', ...rest]: readonly string[]): string {
  const isBlock = /^[>|][+-]?[ \t]*$/.test(first);
  const value = [...(isBlock ? [] : [first.trim()]), ...rest].join(' ').trim();
  if (/^".*"$/.test(value)) return quoted(value);
  if (/^'.*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'");
  return value;
}

function quoted(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    return value.slice(1, -1);
  }
}

function firstWords(body: string): string {
  const lines = body.slice(0, headCharsMax).split(/\r?\n/);
  const first = lines.map((line) => line.replace(/^#+[ \t]*/, '').trim()).find((line) => line !== '');
  return cut(first ?? '', descriptionCharsMax);
}
