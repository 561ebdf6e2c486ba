/** The tools that each program offers to its model, held against the tables by which losses are told. */
import { describe, expect, test } from 'vitest';
import { runtimeNames, type RuntimeName } from '../../src/ports/runtime.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';
import { agents } from './agents/all.ts';
import { programs, proves } from './lab.ts';
import { Machine } from './machine.ts';
import { FakeModel } from './model/fake-model.ts';
import { field, list } from './model/json.ts';
import { ask } from './running.ts';

/** On offer only where somebody can be asked. */
const atTerminal: ReadonlySet<string> = new Set(['AskUserQuestion', 'ask_user', 'question']);
/** Stands in the list of Claude Code for those that it names elsewhere. */
const standIns: ReadonlySet<string> = new Set(['DeferredToolPlaceholder']);

/** By name, in whatever shape the service of the program wants them; a tool of the service itself has only a type. */
function namesOf(tool: unknown): string[] {
  const inner = [...list(field(tool, 'functionDeclarations')), ...list(field(tool, 'tools'))];
  if (inner.length > 0) return inner.flatMap(namesOf);
  const name = field(tool, 'name') ?? field(tool, 'function', 'name') ?? field(tool, 'type');
  return typeof name === 'string' ? [name] : [];
}

/** Tools whose shapes the model gets when it asks are a list of names, a line each. */
function deferredIn(body: unknown): string[] {
  const told = /available via ToolSearch\..*?before calling them:\\n((?:[A-Za-z_]+\\n)+)/.exec(
    JSON.stringify(body),
  );
  return (told?.[1] ?? '').split('\\n').filter((name) => name !== '');
}

async function offeredBy(name: RuntimeName): Promise<string[]> {
  await using model = await FakeModel.start({ text: 'Nothing is to be done.' });
  using machine = Machine.create(programs, model.origin);
  await ask(agents[name], machine, 'Say what is to be done.').ended;
  const body = model.requests.find(({ turn }) => turn !== null)?.body;
  const offered = [...list(field(body, 'tools')).flatMap(namesOf), ...deferredIn(body)];
  return offered.filter((tool) => !standIns.has(tool)).toSorted();
}

describe.concurrent('tools', () => {
  for (const name of runtimeNames) {
    test(`of ${name} are those that are written down`, async (context) => {
      proves(context, { kind: 'tools', from: name });
      const toolbox = allRuntimes({}).find((runtime) => runtime.name === name)?.tools;
      const known = Object.keys(toolbox?.own ?? {}).filter((tool) => !atTerminal.has(tool));
      expect(await offeredBy(name)).toEqual(known.toSorted());
    });
  }
});
