/** The front door: which agent a request is for, by rules over what is known of it. It is looked at once; handing on is another matter. */
import * as z from 'zod/mini';
import { globMatcher } from '../base/glob.ts';
import type { Lane } from '../task/actor.ts';
import { Text } from '../base/text.ts';
import { PlanName, type RoutingRule } from './crew.ts';

export interface RoutedRequest {
  readonly lane?: Lane | undefined;
  readonly labels?: readonly string[] | undefined;
  /** Files, or globs of files, that it is about. */
  readonly paths?: readonly string[] | undefined;
}

/** What became of a request at the front door. Null where nobody was found: `why` says what to do. */
export interface Routed {
  readonly agent: string | null;
  readonly why: string;
}

/** How a router answers. */
export const RouteAnswer = z.object({ agent: PlanName, why: z.optional(Text) });
export type RouteAnswer = z.infer<typeof RouteAnswer>;

export type Routing =
  | {
      readonly agent: string;
      /** Its place among the rules. */
      readonly rule: number;
      readonly why: string;
    }
  /** No rule holds; `why` says of each what did not. */
  | { readonly why: string };

/** The first rule of which all conditions hold. `installed` is null where nobody looked: then no program is known to be missing. */
export function routeRequest(
  request: RoutedRequest,
  rules: readonly RoutingRule[],
  installed: readonly string[] | null,
): Routing {
  const misses: string[] = [];
  for (const [rule, given] of rules.entries()) {
    const conditions = conditionsOf(request, given, installed);
    const miss = conditions.find(({ holds }) => !holds);
    if (miss !== undefined) {
      misses.push(`rule ${rule + 1} asks for ${miss.words}`);
      continue;
    }
    const because = conditions.map(({ words }) => words).join(', ');
    return { agent: given.agent, rule, why: because === '' ? 'it is for any request' : because };
  }
  return { why: `${misses.length === 0 ? 'there is no rule' : misses.join('; ')}.` };
}

interface Condition {
  readonly holds: boolean;
  readonly words: string;
}

function conditionsOf(
  { lane, labels = [], paths = [] }: RoutedRequest,
  rule: RoutingRule,
  installed: readonly string[] | null,
): Condition[] {
  const conditions: Condition[] = [];
  if (rule.lane !== undefined) conditions.push({ holds: rule.lane === lane, words: `lane ${rule.lane}` });
  if (rule.label !== undefined)
    conditions.push({
      holds: rule.label.some((label) => labels.includes(label)),
      words: `label ${rule.label.join(' or ')}`,
    });
  if (rule.path !== undefined) {
    const matchers = rule.path.map(globMatcher);
    conditions.push({
      holds: paths.some((path) => matchers.some((matches) => matches(path))),
      words: `path ${rule.path.join(' or ')}`,
    });
  }
  if (rule.installed !== undefined)
    conditions.push({
      holds: installed?.includes(rule.installed) ?? true,
      words: `${rule.installed} installed`,
    });
  return conditions;
}
