/**
 * The rules of ATIF v1.7, checked. Every fault has the name of the rule, the path of the place, and what is wrong there:
 *
 *   document     the root, and every part that is one, is an object; a trajectory is nested at most 32 deep
 *   required     schema_version, agent with name and version, steps; of a step step_id, source, message; of a call tool_call_id,
 *                function_name, arguments; of an observation results
 *   kind         a field has the kind that the format gives it. null stands for an optional field that is absent
 *   unknown      no field that the format does not have; whatever else belongs into `extra`
 *   version      schema_version is one of ATIF-v1.0 to ATIF-v1.7
 *   steps-empty  there is at least one step
 *   step-ids     1, 2, 3 …
 *   source       user, agent or system
 *   timestamp    ISO 8601
 *   agent-only   model_name, reasoning_effort, reasoning_content, tool_calls and metrics stand in steps of the agent alone
 *   no-model     a step of the agent with llm_call_count 0 has neither metrics nor reasoning_content
 *   call-twice   two calls of a step have different ids
 *   call-ref     source_call_id is the id of a call of the same step
 *   content      a part is a text with `text`, or an image with `source`, never with both
 *   media-type   image/jpeg, image/png, image/gif or image/webp
 *   ref          a reference to a subagent has trajectory_id or trajectory_path; without a path it leads to an embedded trajectory
 *   embedded-id  an embedded trajectory has a trajectory_id, which no other one beside it has
 */
import { atifShapes, isOfKind, kindWords, type AtifShape } from './atif-fields.ts';
import { fieldsOf, listIn, own, type Fields } from '../transcript/loose-json.ts';

export const atifRules = [
  'document',
  'required',
  'kind',
  'unknown',
  'version',
  'steps-empty',
  'step-ids',
  'source',
  'timestamp',
  'agent-only',
  'no-model',
  'call-twice',
  'call-ref',
  'content',
  'media-type',
  'ref',
  'embedded-id',
] as const;
export type AtifRule = (typeof atifRules)[number];

export interface AtifFault {
  readonly rule: AtifRule;
  /** `steps[3].tool_calls[0].arguments`; empty for the root. */
  readonly path: string;
  readonly text: string;
}

const agentOnly = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'] as const;
const mediaTypes: readonly unknown[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const nestedMax = 32;

/** Nothing where the document is valid. */
export function checkAtif(value: unknown): AtifFault[] {
  const check = new Check();
  check.trajectory(value, '', []);
  return check.faults;
}

class Check {
  readonly faults: AtifFault[] = [];

  /** `around` has the ids that are embedded in the trajectories around this one. */
  trajectory(value: unknown, path: string, around: readonly ReadonlySet<string>[]): void {
    if (around.length > nestedMax)
      return this.#fault('document', path, `is nested more than ${nestedMax} deep`);
    const fields = this.#object(value, path, 'trajectory');
    if (fields === null) return;
    const version = own(fields, 'schema_version');
    if (typeof version === 'string' && !/^ATIF-v1\.[0-7]$/.test(version))
      this.#fault(
        'version',
        at(path, 'schema_version'),
        `${JSON.stringify(version)} is no version from ATIF-v1.0 to ATIF-v1.7`,
      );
    this.#below(fields, 'agent', path, 'agent');
    this.#below(fields, 'final_metrics', path, 'finalMetrics');
    const embedded = this.#embedded(fields, path, around);
    const steps = listIn(fields, 'steps');
    if (steps?.length === 0) this.#fault('steps-empty', at(path, 'steps'), 'has no step');
    for (const [i, step] of (steps ?? []).entries())
      this.#step(step, `${at(path, 'steps')}[${i}]`, { i, embedded });
  }

  #embedded(
    fields: Fields,
    path: string,
    around: readonly ReadonlySet<string>[],
  ): readonly ReadonlySet<string>[] {
    const inner = listIn(fields, 'subagent_trajectories') ?? [];
    const ids = new Set<string>();
    for (const [i, one] of inner.entries()) {
      const where = `${at(path, 'subagent_trajectories')}[${i}]`;
      const id = own(fieldsOf(one), 'trajectory_id');
      if (typeof id !== 'string') this.#fault('embedded-id', where, 'has no trajectory_id');
      else if (ids.has(id))
        this.#fault('embedded-id', where, `has the trajectory_id of another one: ${JSON.stringify(id)}`);
      else ids.add(id);
    }
    const known = [...around, ids];
    for (const [i, one] of inner.entries())
      this.trajectory(one, `${at(path, 'subagent_trajectories')}[${i}]`, known);
    return known;
  }

  #step(
    value: unknown,
    path: string,
    { i, embedded }: { readonly i: number; readonly embedded: readonly ReadonlySet<string>[] },
  ): void {
    const fields = this.#object(value, path, 'step');
    if (fields === null) return;
    const id = own(fields, 'step_id');
    if (typeof id === 'number' && id !== i + 1)
      this.#fault('step-ids', at(path, 'step_id'), `is ${id} and must be ${i + 1}`);
    const source = own(fields, 'source');
    if (typeof source === 'string' && !['user', 'agent', 'system'].includes(source))
      this.#fault('source', at(path, 'source'), `${JSON.stringify(source)} is none of user, agent, system`);
    const time = own(fields, 'timestamp');
    if (typeof time === 'string' && !isIso(time))
      this.#fault('timestamp', at(path, 'timestamp'), `${JSON.stringify(time)} is no time of ISO 8601`);
    this.#agentOnly(fields, path, source);
    this.#content(own(fields, 'message'), at(path, 'message'));
    this.#below(fields, 'metrics', path, 'metrics');
    const effort = own(fields, 'reasoning_effort') ?? null;
    if (effort !== null && typeof effort !== 'string' && typeof effort !== 'number')
      this.#fault('kind', at(path, 'reasoning_effort'), 'is neither a text nor a number');
    const calls = this.#calls(fields, path);
    this.#observation(fields, path, { calls, embedded });
  }

  #agentOnly(fields: Fields, path: string, source: unknown): void {
    const isAgent = source === 'agent';
    const names: readonly string[] = isAgent
      ? own(fields, 'llm_call_count') === 0
        ? ['metrics', 'reasoning_content']
        : []
      : agentOnly;
    for (const name of names) {
      if ((own(fields, name) ?? null) === null) continue;
      if (isAgent) this.#fault('no-model', at(path, name), 'stands in a step that called no model');
      else this.#fault('agent-only', at(path, name), 'stands in a step that is not of the agent');
    }
  }

  #calls(fields: Fields, path: string): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const [i, one] of (listIn(fields, 'tool_calls') ?? []).entries()) {
      const where = `${at(path, 'tool_calls')}[${i}]`;
      const id = own(this.#object(one, where, 'call'), 'tool_call_id');
      if (typeof id !== 'string') continue;
      if (ids.has(id))
        this.#fault('call-twice', where, `has the tool_call_id of another call: ${JSON.stringify(id)}`);
      ids.add(id);
    }
    return ids;
  }

  #observation(
    fields: Fields,
    path: string,
    known: { readonly calls: ReadonlySet<string>; readonly embedded: readonly ReadonlySet<string>[] },
  ): void {
    const where = at(path, 'observation');
    const observation = this.#below(fields, 'observation', path, 'observation');
    for (const [i, one] of (listIn(observation, 'results') ?? []).entries()) {
      const place = `${at(where, 'results')}[${i}]`;
      const result = this.#object(one, place, 'result');
      const call = own(result, 'source_call_id');
      if (typeof call === 'string' && !known.calls.has(call))
        this.#fault(
          'call-ref',
          at(place, 'source_call_id'),
          `${JSON.stringify(call)} is no call of this step`,
        );
      const content = own(result, 'content') ?? null;
      if (content !== null) this.#content(content, at(place, 'content'));
      for (const [j, ref] of (listIn(result, 'subagent_trajectory_ref') ?? []).entries())
        this.#ref(ref, `${at(place, 'subagent_trajectory_ref')}[${j}]`, known.embedded);
    }
  }

  #ref(value: unknown, path: string, embedded: readonly ReadonlySet<string>[]): void {
    const fields = this.#object(value, path, 'ref');
    if (fields === null || typeof own(fields, 'trajectory_path') === 'string') return;
    const id = own(fields, 'trajectory_id');
    if (typeof id !== 'string') this.#fault('ref', path, 'has neither trajectory_id nor trajectory_path');
    else if (!embedded.some((ids) => ids.has(id)))
      this.#fault('ref', path, `leads to no embedded trajectory: ${JSON.stringify(id)}`);
  }

  /** A text, or a list of texts and images. */
  #content(value: unknown, path: string): void {
    if (value === undefined || value === null || typeof value === 'string') return;
    if (!Array.isArray(value)) return this.#fault('kind', path, 'is neither a text nor a list of parts');
    for (const [i, part] of (value as readonly unknown[]).entries()) this.#part(part, `${path}[${i}]`);
  }

  #part(value: unknown, path: string): void {
    const fields = this.#object(value, path, 'part');
    const type = own(fields, 'type');
    if (fields === null || typeof type !== 'string') return;
    const hasText = (own(fields, 'text') ?? null) !== null;
    const hasSource = (own(fields, 'source') ?? null) !== null;
    const right = type === 'text' ? hasText && !hasSource : type === 'image' && hasSource && !hasText;
    if (!right)
      this.#fault('content', path, 'is neither a text with "text" alone nor an image with "source" alone');
    const image = this.#below(fields, 'source', path, 'image');
    const media = own(image, 'media_type');
    if (typeof media === 'string' && !mediaTypes.includes(media))
      this.#fault(
        'media-type',
        at(at(path, 'source'), 'media_type'),
        `${JSON.stringify(media)} is none of ${mediaTypes.join(', ')}`,
      );
  }

  #below(fields: Fields, name: string, path: string, shape: keyof typeof atifShapes): Fields | null {
    const value = own(fields, name) ?? null;
    return fieldsOf(value) === null ? null : this.#object(value, at(path, name), shape);
  }

  #object(value: unknown, path: string, name: keyof typeof atifShapes): Fields | null {
    const fields = fieldsOf(value);
    if (fields === null) {
      this.#fault('document', path, 'is no object');
      return null;
    }
    const shape: AtifShape = atifShapes[name];
    for (const key of Object.keys(fields))
      if (!Object.hasOwn(shape, key))
        this.#fault('unknown', at(path, key), 'is no field of the format; put it into extra');
    for (const [key, { kind, required }] of Object.entries(shape)) {
      const found = own(fields, key) ?? null;
      if (found !== null && !isOfKind(kind, found))
        this.#fault('kind', at(path, key), `is not ${kindWords[kind]}`);
      if (found === null && required === true) this.#fault('required', at(path, key), 'is missing');
    }
    return fields;
  }

  #fault(rule: AtifRule, path: string, said: string): void {
    this.faults.push({ rule, path, text: `${path === '' ? 'The document' : path} ${said}.` });
  }
}

const iso =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-][01]\d(?::?[0-5]\d)?)?)?$/;

function isIso(time: string): boolean {
  const day = iso.exec(time)?.[1];
  if (day === undefined) return false;
  // A day that the calendar lacks is moved by the parser.
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}

function at(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
