/** The part of HANDOFF.md that is probed or known. It is shown and never read back: facts come from the tool alone. */
import { counted } from '../base/counted.ts';
import type { Contract } from '../contract/contract.ts';
import { notCarriedLines } from '../packet/not-carried.ts';
import type { Packet } from '../packet/packet.ts';
import type { KnownRun } from '../task/state.ts';
import { unpushedIn, unpushedWords } from '../tree/unpushed.ts';
import { validationResults, type ValidationResult } from '../contract/validation-standing.ts';
import { workedInWords } from '../tree/work-folder.ts';
import { changeLine, type WorkspaceFacts } from '../tree/workspace.ts';

/** More than this is for the tool, which has all of it. */
const changesShownMax = 50;

const note =
  'Probed by the tool when the packet was sealed. Not read back: what is changed here changes nothing.';

/** Lists under headings of the third level; empty where nothing was probed. */
export function factsPart(packet: Packet, contract: Contract): string {
  const { workspace, folder, diff, progress, phases } = packet.facts ?? {};
  const results = packetResults(packet, contract).filter(({ outcome }) => outcome !== null);
  const lists: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Workspace', workspace === undefined ? [] : workspaceLines(workspace, folder)],
    ['Changes', workspace === undefined ? [] : changeLines(workspace)],
    ['Diff', diff === undefined ? [] : [`${counted(diff.added, 'line')} added, ${diff.removed} removed`]],
    ['Validation', results.map(resultLine)],
    ['Phases', (phases ?? []).map(({ name, status }) => `${name}: ${status}`)],
    ['Progress', progress === undefined ? [] : [progressLine(progress)]],
    ['Skills', [...new Set([...(contract.skills ?? []), ...(packet.skills ?? [])])]],
    ['Not carried over', notCarriedLines(packet)],
    ['Secrets taken out', Object.entries(packet.redactions ?? {}).map(([rule, n]) => `${rule}: ${n}`)],
  ];
  const written = lists.filter(([, lines]) => lines.length > 0);
  if (written.length === 0) return '';
  const parts = written.map(([title, lines]) => `### ${title}\n\n${lines.map(item).join('\n')}`);
  return `## Facts\n\n${note}\n\n${parts.join('\n\n')}`;
}

/** Results as the packet has them, against the workspace it was sealed on. */
export function packetResults({ facts }: Packet, contract: Contract): ValidationResult[] {
  const runs = (facts?.runs ?? []).map(({ run, name, passed, failed }): KnownRun => {
    const outcome = (seen: typeof passed): KnownRun['passed'] =>
      seen === undefined
        ? null
        : { seq: seen.entry, at: seen.at, exit: seen.exit, workspace: seen.workspace };
    return { run, name: name ?? null, passed: outcome(passed), failed: outcome(failed), failures: 0 };
  });
  return validationResults(contract, runs, facts?.workspace?.digest ?? null);
}

function item(text: string): string {
  return `- ${text
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
    .trimStart()}`;
}

function workspaceLines(facts: WorkspaceFacts, folder: string | undefined): string[] {
  const { git } = facts;
  const unpushed = unpushedIn(facts);
  return [
    `${facts.root} (${facts.kind}), ${facts.digest}`,
    ...(folder === undefined ? [] : [workedInWords(folder)]),
    ...(git === null
      ? []
      : [
          `branch ${git.branch ?? 'detached'}, HEAD ${git.head ?? 'no commit yet'}`,
          ...(git.base === null ? [] : [`left ${git.base.ref} at ${git.base.commit}`]),
          ...(git.operation === null ? [] : [`in the middle of a ${git.operation.kind}`]),
        ]),
    ...(unpushed === null ? [] : [unpushedWords(unpushed)]),
  ];
}

function changeLines({ changes, changesLeft }: WorkspaceFacts): string[] {
  const left = Math.max(0, changes.length - changesShownMax) + changesLeft;
  return [...changes.slice(0, changesShownMax).map(changeLine), ...(left > 0 ? [`and ${left} more`] : [])];
}

function resultLine({ run, outcome, standing, exit }: ValidationResult): string {
  const ended = outcome === 'failed' && exit !== null ? `failed with exit code ${exit}` : outcome;
  const worth = standing === 'bound' ? 'on this workspace' : 'on another state of the workspace';
  return `${run.join(' ')}: ${ended ?? 'never run'}${standing === 'unknown' ? '' : `, ${worth}`}`;
}

type Progress = NonNullable<NonNullable<Packet['facts']>['progress']>;

function progressLine({ at, of, unit, cursor }: Progress): string {
  return `at ${at}${of === undefined ? '' : ` of ${of}`}${unit === undefined ? '' : ` ${unit}`}${cursor === undefined ? '' : ` (${cursor})`}`;
}
