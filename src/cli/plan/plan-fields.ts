/** Plans and crews as people write them, spelled out: one name for a list of one, `a -> b`, `2h`, `20M`, `25 USD`, commands in one line. */
import { programMeant } from '../../core/resume/runtime-names.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { pathWords, type FieldPath, type FormFinding } from '../../core/plan/read-plan.ts';
import { spelledOut } from '../contract/contract-file.ts';
import { splitCommand } from '../contract/split-command.ts';
import { parsePositiveDuration } from '../frame/duration.ts';
import { UsageError } from '../frame/usage.ts';

export interface Spelled {
  readonly value: unknown;
  /** What could not be read; the form says nothing more of these fields. */
  readonly findings: readonly FormFinding[];
}

export function spelledPlan(given: unknown): Spelled {
  return spelling((read) => planFields(given, read));
}

export function spelledCrew(given: unknown): Spelled {
  return spelling((read) => crewFields(given, [], read));
}

type Fields = Readonly<Record<string, unknown>>;
/** Reads a field at its place: if it cannot be read it stays as it is, and that is told. */
type Read = (at: FieldPath, value: unknown, way: (value: unknown) => unknown) => unknown;

function spelling(spell: (read: Read) => unknown): Spelled {
  const findings: FormFinding[] = [];
  const value = spell((at, given, way) => {
    try {
      return way(given);
    } catch (error) {
      if (!(error instanceof UsageError) && !isStaffettaError(error)) throw error;
      const path = pathWords(at);
      const text = `${path}: ${error.message.replace(/--(?=value )/, '')}`;
      findings.push({
        rule: 'field-form',
        severity: 'error',
        path,
        at,
        text,
        fix: error.hint ?? 'Write it otherwise.',
      });
      return given;
    }
  });
  return { value, findings };
}

function planFields(given: unknown, read: Read): unknown {
  if (!isFields(given)) return given;
  // `$schema` is for editors.
  const { $schema: _schema, ...plan } = given;
  return changed(plan, {
    setup: (value) => read(['setup'], value, (commands) => spelledOut('validation', commands)),
    phases: (value) => spelledOut('phases', value),
    budget: (value) => budgetFields(value, ['budget'], read),
    defaults: (value) => taskFields(value, ['defaults'], read),
    tasks: (value) =>
      isFields(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, task]) => [name, taskFields(task, ['tasks', name], read)]),
          )
        : value,
    crew: (value) => crewFields(value, ['crew'], read),
  });
}

function taskFields(given: unknown, at: FieldPath, read: Read): unknown {
  if (!isFields(given)) return given;
  const contract = (field: string) => (value: unknown) =>
    read([...at, field], value, (one) => spelledOut(field, one));
  return changed(given, {
    needs: listOfOne,
    paths: listOfOne,
    nonGoals: contract('nonGoals'),
    validation: contract('validation'),
    phases: contract('phases'),
    review: contract('review'),
    retry: (value) =>
      typeof value === 'number'
        ? { times: value }
        : timed(value, { after: 'afterMs' }, { at: [...at, 'retry'], read }),
    budget: (value) => budgetFields(value, [...at, 'budget'], read),
  });
}

function crewFields(given: unknown, at: FieldPath, read: Read): unknown {
  if (!isFields(given)) return given;
  const { $schema: _schema, ...crew } = given;
  return changed(crew, {
    agents: (value) =>
      isFields(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, agent]) => [
              name,
              agentFields(agent, [...at, 'agents', name], read),
            ]),
          )
        : value,
    edges: (value) => (Array.isArray(value) ? value.flatMap((edge) => edgesIn(edge)) : value),
    limits: (value) => limitFields(value, [...at, 'limits'], read),
    router: (value) =>
      isFields(value)
        ? changed(value, {
            command: (line) =>
              read([...at, 'router', 'command'], line, (one) =>
                typeof one === 'string' ? splitCommand(one) : one,
              ),
          })
        : typeof value === 'string'
          ? { agent: value }
          : value,
    routes: (value) =>
      Array.isArray(value)
        ? value.map((rule) => (isFields(rule) ? changed(rule, { path: listOfOne, label: listOfOne }) : rule))
        : value,
  });
}

function agentFields(given: unknown, at: FieldPath, read: Read): unknown {
  if (!isFields(given)) return given;
  return changed(given, {
    runtime: programNames,
    command: (value) =>
      read([...at, 'command'], value, (line) => (typeof line === 'string' ? splitCommand(line) : line)),
    limits: (value) => limitFields(value, [...at, 'limits'], read),
  });
}

/** Also of options: `tokens=20M`. */
export function spelledBudget(given: unknown): Spelled {
  return spelling((read) => budgetFields(given, [], read));
}

function budgetFields(given: unknown, at: FieldPath, read: Read): unknown {
  return spending(timed(given, { time: 'ms' }, { at, read }), at, read);
}

function limitFields(given: unknown, at: FieldPath, read: Read): unknown {
  return spending(timed(given, { leg: 'legMs', stall: 'stallMs' }, { at, read }), at, read);
}

/** `a -> b -> c` is two edges. */
function edgesIn(edge: unknown): unknown[] {
  if (typeof edge !== 'string') return [edge];
  const ends = edge.split('->').map((end) => end.trim());
  if (ends.length < 2) return [edge];
  return ends.slice(1).map((to, i) => ({ from: ends[i], to }));
}

/** Times in words, by the names that they have in milliseconds. */
function timed(
  given: unknown,
  names: Readonly<Record<string, string>>,
  { at, read }: { readonly at: FieldPath; readonly read: Read },
): unknown {
  if (!isFields(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const inMs = Object.hasOwn(names, name) ? names[name] : undefined;
      if (inMs === undefined) return [name, value];
      const words = typeof value === 'string' ? value : JSON.stringify(value);
      return [inMs, read([...at, name], value, () => parsePositiveDuration(words, 'value'))];
    }),
  );
}

function spending(given: unknown, at: FieldPath, read: Read): unknown {
  if (!isFields(given)) return given;
  return changed(given, {
    tokens: (value) => read([...at, 'tokens'], value, tokensIn),
    cost: (value) => read([...at, 'cost'], value, costIn),
  });
}

/** `20M`, `500k`. */
function tokensIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([kM]?)$/.exec(value.trim()) ?? [];
  if (number === undefined)
    throw new UsageError(`It takes a number such as 500k or 20M, not ${JSON.stringify(value)}.`);
  return Math.round(Number(number) * (unit === 'M' ? 1_000_000 : unit === 'k' ? 1000 : 1));
}

function costIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?([A-Z]{3,8})$/.exec(value.trim()) ?? [];
  if (amount === undefined || unit === undefined)
    throw new UsageError(`It takes an amount with its unit, such as 25 USD, not ${JSON.stringify(value)}.`);
  return { amount: Number(amount), unit };
}

function listOfOne(value: unknown): unknown {
  return typeof value === 'string' ? [value] : value;
}

/** A program may be named as people call it. */
function programNames(value: unknown): unknown {
  const names = listOfOne(value);
  return Array.isArray(names)
    ? names.map((name: unknown) => (typeof name === 'string' ? (programMeant(name) ?? name) : name))
    : names;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Each field that is there in its new form, in the order in which they stand. */
function changed(fields: Fields, ways: Readonly<Record<string, (value: unknown) => unknown>>): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Object.hasOwn(ways, name) ? (ways[name]?.(value) ?? value) : value,
    ]),
  );
}
