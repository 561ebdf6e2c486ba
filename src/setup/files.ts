/** Which file is changed how: each agent says it of its own kinds; of AGENTS.md, which all read, it stands here. */
import { markdownMarks, withBlock, withoutBlock } from './edit/marked-block.ts';
import type { FileForm, EntryOwner, Setups, Wish } from './forms/agent-setup.ts';
import type { RuntimeName } from '../ports/runtime.ts';

/** The kind of AGENTS.md. */
export const agentsKind = 'agents';

/** At most six lines: they are read at every start of every agent. Of the tools first: a shell need not find the command. */
const agentsLines: readonly string[] = [
  '## Handing work over',
  'Work that changes hands goes through staffetta: the tools of its MCP server or, where a shell finds it, the command `staffetta`.',
  '- A task that waits for you is shown when your session starts. Take it before you change anything: tool `take`, or `staffetta take TASK`',
  '- Say what the next agent needs when you learn it: tools `note` and `decide`, or `staffetta note TASK "…"`, `staffetta decide TASK "…" --why "…"`',
  '- Before you stop: tool `seal` with `to`, or with `as: submit`; or `staffetta handoff TASK --to WHO --next "…"`, `staffetta submit TASK`. A person approves.',
];

/** Markdown means what it says. */
export const agentsForm: FileForm = {
  with: (text) => withBlock(text, agentsLines, markdownMarks),
  without: (text) => withoutBlock(text, markdownMarks),
};

/** Undefined for a kind that only another version knows. */
export function formOf(kind: string, setups: Setups): FileForm | undefined {
  if (kind === agentsKind) return agentsForm;
  return Object.values(setups)
    .map(({ kinds }) => (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined))
    .find((form) => form !== undefined);
}

/** Whose a kind of file is; null for what is for all of them. */
export function runtimeOfKind(kind: string, setups: Setups): RuntimeName | null {
  const found = Object.entries(setups).find(([, { kinds }]) => Object.hasOwn(kinds, kind));
  return (found?.[0] ?? null) as RuntimeName | null;
}

export function withOurs({ with: change }: FileForm, text: string | null, wish: Wish): string {
  return change(text ?? '', wish);
}

/** Null where nothing is left that anybody needs. */
export function withoutOurs(form: FileForm, text: string, owner: EntryOwner): string | null {
  const left = form.without(text, owner);
  return left === null || isNothing(left) ? null : left;
}

/** Whether a text holds nothing that a program would read. */
export function isNothing(text: string): boolean {
  return ['', '{}'].includes(text.replaceAll(/\s/g, ''));
}
