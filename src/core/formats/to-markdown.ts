/**
 * A story to be read: a heading for every stretch of a session, one below it for every step, by its name. What people, models and
 * tools said is data: it is made safe to show and stands in fences that are longer than any within it, so that it can neither
 * end its fence nor pass for a heading. Texts are whole; arguments, results and reasoning are shortened, and their lengths told.
 */
import { sanitize, sanitizeLine } from '../base/sanitize.ts';
import type { ToolCall, Result } from '../transcript/step.ts';
import type { Story, StorySession, StoryStep } from '../transcript/story.ts';

export interface MarkdownOptions {
  /** The heading of the page. */
  readonly title?: string;
  /** Characters shown of arguments, of a result and of reasoning. */
  readonly charsMax?: number;
}

const charsMaxDefault = 2000;

export function toMarkdown(story: Story, options: MarkdownOptions = {}): string {
  return [...markdownPieces(story, options)].join('');
}

/** The same, a step at a time. */
export function* markdownPieces(story: Story, options: MarkdownOptions = {}): Generator<string> {
  const charsMax = options.charsMax ?? charsMaxDefault;
  yield `# ${sanitizeLine(options.title ?? 'History')}\n`;
  if (story.steps.length === 0) yield '\nNo steps.\n';
  const told = new Set<number>();
  let current: number | undefined;
  for (const step of story.steps) {
    if (step.session !== current) {
      yield sessionHeading(story.sessions[step.session], step.session, told.has(step.session));
      told.add(step.session);
      current = step.session;
    }
    yield stepPart(step, charsMax);
  }
  yield endOf(story);
}

function sessionHeading(session: StorySession | undefined, place: number, again: boolean): string {
  if (session === undefined) return `\n## ${place + 1}\n`;
  const { facts, rewritten, repeats } = session;
  const heading = `\n## ${place + 1}. ${sanitizeLine(facts.runtime)}${again ? ', continued' : ''}\n`;
  if (again) return heading;
  const rows = [
    ['session', facts.session === '' ? null : facts.session],
    ['version', facts.version],
    ['model', facts.model],
    ['folder', facts.folder],
    ['branch', facts.branch],
    ['started', facts.startedAt === null ? null : timeOf(facts.startedAt)],
    ['title', facts.title],
    ['started by', facts.parent],
  ].flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`- ${name}: ${code(value)}\n`],
  );
  const notes = [
    ...(rewritten ? ['\nThis session was rewritten later, and is told again as it stood then.\n'] : []),
    ...(repeats === undefined
      ? []
      : [`\nIt begins with what was said before it, which is not told again (steps: ${count(repeats)}).\n`]),
  ];
  return `${heading}${rows.length === 0 ? '' : '\n'}${rows.join('')}${notes.join('')}`;
}

function stepPart(step: StoryStep, charsMax: number): string {
  const { source, at, model, mark, summary, aside, reasoning, calls = [], results = [] } = step;
  const about = [
    source,
    ...(mark === undefined ? [] : [mark]),
    ...(summary === undefined ? [] : [summary === 'recap' ? summary : 'summary']),
    ...(aside === undefined ? [] : [`aside: ${aside}`]),
    ...(at === null ? [] : [timeOf(at)]),
    ...(model === undefined ? [] : [code(model)]),
  ];
  const byCall = new Map(results.map((result) => [result.call, result]));
  return [
    `\n### s${step.ref} · ${about.join(' · ')}\n`,
    ...(reasoning === undefined ? [] : [shortened('Reasoning', reasoning, charsMax)]),
    ...(step.text === '' ? [] : [`\n${fenced(step.text)}`]),
    ...calls.map((call) => callPart(call, byCall.get(call.id), charsMax)),
  ].join('');
}

function callPart(call: ToolCall, result: Result | undefined, charsMax: number): string {
  const input = call.raw ?? JSON.stringify(call.args, null, 2);
  const started = call.subagent === undefined ? '' : `, which started ${code(call.subagent)}`;
  const asked = shortened(`Call ${code(call.tool)}${started}`, input, charsMax);
  if (result === undefined) return `${asked}\nNo result.\n`;
  const ended = [
    result.failed ? 'Failed' : 'Result',
    ...(result.exit === undefined ? [] : [`exit ${result.exit}`]),
    ...(result.other === undefined ? [] : [`also ${result.other.map(code).join(', ')}, not shown`]),
  ];
  return `${asked}${shortened(ended.join(', '), result.text, charsMax)}`;
}

/** Under its name, with the length where not all of it is shown. */
function shortened(name: string, text: string, charsMax: number): string {
  if (text === '') return `\n${name}: nothing.\n`;
  if (text.length <= charsMax) return `\n${name}:\n\n${fenced(text)}`;
  const cut = text.slice(0, charsMax).replace(/[\ud800-\udbff]$/, '');
  return `\n${name} (${count(text.length)} characters, the first ${count(cut.length)} shown):\n\n${fenced(cut)}`;
}

function endOf({ sessions, unread }: Story): string {
  const lost = sessions.flatMap(({ omissions }, place) =>
    omissions.map(
      ({ kind, count: times, why }) => `- ${place + 1}: ${code(kind)} × ${count(times)}: ${code(why)}\n`,
    ),
  );
  const open = sessions.flatMap(({ unanswered }, place) =>
    unanswered.map(({ tool, id }) => `- ${place + 1}: ${code(tool)} (${code(id)})\n`),
  );
  const closed = unread.map(
    ({ runtime, session, why }) => `- ${code(runtime)} ${code(session)}: ${code(why)}\n`,
  );
  return [
    ...(open.length === 0 ? [] : ['\n## Calls without a result\n\n', ...open]),
    ...(lost.length === 0 ? [] : ['\n## Left out\n\n', ...lost]),
    ...(closed.length === 0 ? [] : ['\n## Not read\n\n', ...closed]),
  ].join('');
}

/** Foreign text as a block: its fence is longer than any run of backticks within. */
export function fenced(text: string): string {
  const safe = sanitize(text);
  const fence = '`'.repeat(Math.max(3, longestRun(safe) + 1));
  return `${fence}text\n${safe}${safe.endsWith('\n') ? '' : '\n'}${fence}\n`;
}

/** The same within a line. */
function code(text: string): string {
  const safe = sanitizeLine(text).trim();
  const run = longestRun(safe);
  const ticks = '`'.repeat(run + 1);
  return run === 0 ? `\`${safe === '' ? ' ' : safe}\`` : `${ticks} ${safe} ${ticks}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

function timeOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
}

function count(number: number): string {
  return number.toLocaleString('en');
}
