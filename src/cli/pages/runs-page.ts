/** Commands of a contract that were run: how each ended, what it speaks for, and the end of what it printed. */
import { defined } from '../../core/base/defined.ts';
import { counted } from '../../core/base/counted.ts';
import type { Validation } from '../../core/contract/contract.ts';
import { sanitize } from '../../core/base/sanitize.ts';
import { cut } from '../../core/base/text.ts';
import type { RecordedRun } from '../../handoff/verbs/run.ts';
import { formatDuration } from '../frame/duration.ts';
import { line, type Output } from '../frame/output.ts';
import { joinCommand } from '../../core/base/command-line.ts';

const tailLines = { passed: 3, failed: 12 } as const;
/** A line that is longer says nothing more to a reader; --output prints all of it. */
const tailCharsMax = 400;
const decoder = new TextDecoder();

/** As one would type it, with its name before it. */
export function namedCommandWords({ run, shell, name }: Pick<Validation, 'run' | 'shell' | 'name'>): string {
  const typed = shell === true ? (run[0] ?? '') : joinCommand(run);
  return line(name === undefined ? typed : `${name}: ${typed}`);
}

export function ranData(ran: RecordedRun, all: boolean): Record<string, unknown> {
  const { validation, report, passed, changedWorkspace, event } = ran;
  return {
    ...defined({ name: validation.name }),
    run: validation.run,
    ...(validation.shell === true ? { shell: true } : {}),
    passed,
    ended: report.end.how,
    exit: event.exit,
    ...(report.end.how === 'signalled' ? { signal: report.end.signal } : {}),
    ...(report.end.how === 'not-started' ? { reason: report.end.reason } : {}),
    ms: report.durationMs,
    workspace: event.workspace,
    changedWorkspace,
    output: all ? decoder.decode(ran.output) : tailOf(ran).join('\n'),
    outputBytes: report.outputBytes,
    droppedBytes: report.droppedBytes,
    entry: ran.entry,
    evidence: ran.evidence,
  };
}

export function ranText(ran: RecordedRun, all: boolean, { paint }: Pick<Output, 'paint'>): string {
  const { validation, report, passed } = ran;
  const words = endWords(ran);
  const head = `${passed ? paint.good(words) : paint.bad(words)}  ${paint.bold(namedCommandWords(validation))}  (${formatDuration(report.durationMs)})`;
  const shown = all ? linesOf(ran.output) : tailOf(ran);
  const hidden = linesOf(ran.output).length - shown.length;
  const dropped = report.droppedBytes > 0 ? `${report.droppedBytes} bytes in the middle were not kept` : '';
  const more = hidden > 0 ? `${counted(hidden, 'line')} before that; --output prints all` : '';
  return [
    head,
    ...[
      ...boundLines(ran),
      `On record as ${ran.evidence}: a claim that rests on it ends in [${ran.evidence}].`,
    ].map((text) => `  ${text}`),
    ...[more, dropped].filter((text) => text !== '').map((text) => `  ${paint.dim(`(${text})`)}`),
    ...shown.map((text) => `  ${paint.dim('│')} ${text}`.trimEnd()),
  ].join('\n');
}

function endWords({ report: { end } }: RecordedRun): string {
  switch (end.how) {
    case 'exited':
      return end.code === 0 ? 'passed' : `failed with exit code ${end.code}`;
    case 'signalled':
      return `ended by ${end.signal}`;
    case 'timed-out':
      return 'ended at its time limit';
    case 'interrupted':
      return 'interrupted';
    case 'not-started':
      return startFaults[end.reason];
  }
}

const startFaults = {
  'not-found': 'could not be started: there is no such program',
  'not-executable': 'could not be started: it may not be executed',
  failed: 'could not be started',
} as const;

/** What the result speaks for. */
function boundLines({ event, changedWorkspace, passed, report }: RecordedRun): string[] {
  const left = [
    ...(report.leftovers ? ['Processes that it left behind were ended.'] : []),
    ...(report.unended
      ? ['Something that it started goes on and could not be ended, so its result speaks for no state.']
      : []),
  ];
  // What undoes a phase is there to change the workspace, and proves nothing about it.
  if (event.phase?.part === 'rollback')
    return [changedWorkspace ? 'The workspace is another now.' : 'It left the workspace as it was.', ...left];
  if (changedWorkspace) {
    return [
      'The workspace changed while it ran, by the command or by somebody else: its result speaks for no state of it.',
      'Run it again. If the command writes files each time, have git ignore them, or commit them first.',
      ...left,
    ];
  }
  const { workspace } = event;
  if (workspace === null || !passed) return left;
  return ['Holds for the files as they are now, until the next edit.', ...left];
}

function tailOf(ran: RecordedRun): string[] {
  return linesOf(ran.output)
    .slice(-tailLines[ran.passed ? 'passed' : 'failed'])
    .map((text) =>
      text.length > tailCharsMax ? `${cut(text, tailCharsMax)} (${text.length} characters)` : text,
    );
}

function linesOf(output: Uint8Array): string[] {
  const text = sanitize(decoder.decode(output).replaceAll('\r\n', '\n')).trimEnd();
  return text === '' ? [] : text.split('\n');
}
