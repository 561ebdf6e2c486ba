/** What somebody wrote as a plan or a crew, checked against its form: all that is wrong with it is told at once, each with a way to mend it. */
import type * as z from 'zod/mini';
import { issueReason, tryParse } from '../base/parse.ts';
import { nearField } from '../base/suggest.ts';
import type { Finding } from '../gate/finding.ts';
import { Crew } from './crew.ts';
import { WorkPlan } from './work-plan.ts';

/** A field in it, by names and places in lists. */
export type FieldPath = readonly (string | number)[];

export interface FormFinding extends Finding {
  readonly at: FieldPath;
}

export type Readout<T> = { readonly value: T } | { readonly findings: readonly FormFinding[] };

export function readPlan(value: unknown): Readout<WorkPlan> {
  return readForm(WorkPlan, value);
}

export function readCrew(value: unknown): Readout<Crew> {
  return readForm(Crew, value);
}

function readForm<T extends z.ZodMiniType>(schema: T, value: unknown): Readout<z.infer<T>> {
  const parsed = tryParse(schema, value);
  if (parsed.success) return { value: parsed.data };
  return { findings: parsed.error.issues.flatMap((issue) => findingsOf(schema, issue)) };
}

function findingsOf(schema: z.core.$ZodType, issue: z.core.$ZodIssue): FormFinding[] {
  const at = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsAt(schema, at);
    return issue.keys.map((key) => {
      const near = nearField(key, known);
      return formFinding([...at, key], {
        rule: 'field-unknown',
        says: 'there is no such field',
        fix: near === undefined ? `Use one of: ${known.join(', ')}.` : `Did you mean ${near}?`,
      });
    });
  }
  const reason = issue.code === 'invalid_key' ? reasonOfKey(issue) : issueReason(issue);
  const wanted = /^expected (.*)$/s.exec(reason)?.[1];
  return [
    formFinding(at, {
      rule: 'field-form',
      says: reason,
      fix: wanted === undefined ? 'Write it otherwise.' : `Give ${wanted}.`,
    }),
  ];
}

function reasonOfKey({ issues }: z.core.$ZodIssueInvalidKey): string {
  const [first] = issues;
  return first === undefined ? 'expected another name' : issueReason(first);
}

function formFinding(
  at: FieldPath,
  { rule, says, fix }: { readonly rule: string; readonly says: string; readonly fix: string },
): FormFinding {
  const path = pathWords(at);
  return { rule, severity: 'error', path, at, text: `${path === '' ? 'The file' : path}: ${says}.`, fix };
}

/** `tasks.limiter.validation[0].run` */
export function pathWords(at: FieldPath): string {
  return at.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');
}

/** The fields that a form knows at a place. */
function fieldsAt(schema: z.core.$ZodType, at: FieldPath): readonly string[] {
  const { def } = schema._zod as unknown as { readonly def: Form };
  if (def.innerType !== undefined) return fieldsAt(def.innerType, at);
  const [first, ...rest] = at;
  if (first === undefined) return Object.keys(def.shape ?? {});
  const inner = def.element ?? def.valueType ?? def.shape?.[first];
  return inner === undefined ? [] : fieldsAt(inner, rest);
}

/** What is looked at of the forms that plans are made of: lists, records, objects and what may be left out. */
interface Form {
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
}
