/** What of the Agent Client Protocol is read, and no more than that: whatever else a message holds, or lacks, is no fault. */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import * as z from 'zod/mini';
import { catch as otherwise } from 'zod/mini';
import type { PermissionName } from '../core/plan/crew.ts';
import type { LegSign } from '../ports/runner.ts';

/** Nothing where it is not as it should be. */
function loose<Out>(schema: z.ZodMiniType<Out>): z.ZodMiniType<Out | undefined> {
  return otherwise(z.optional(schema), undefined);
}

export const Capabilities = z.object({
  protocolVersion: z.number(),
  agentCapabilities: loose(
    z.object({
      loadSession: loose(z.boolean()),
      sessionCapabilities: loose(z.object({ resume: loose(z.unknown()) })),
    }),
  ),
});

const Choice = z.object({ value: z.string() });
export const SessionSetting = z.object({
  modes: loose(z.object({ availableModes: z.array(z.object({ id: z.string() })) })),
  configOptions: loose(
    z.array(
      z.object({
        id: z.string(),
        category: loose(z.string()),
        /** A list of choices, or of groups of them. */
        options: loose(z.array(z.union([Choice, z.object({ options: z.array(Choice) })]))),
      }),
    ),
  ),
});
export type SessionSetting = z.infer<typeof SessionSetting>;

export const NewSession = z.object({ sessionId: z.string().check(z.minLength(1)) });

export const Notified = z.object({
  sessionId: z.string(),
  update: z.object({
    sessionUpdate: z.string(),
    content: loose(z.object({ text: z.string() })),
    title: loose(z.string()),
    used: loose(z.number()),
    size: loose(z.number()),
    cost: loose(z.object({ amount: z.number(), currency: z.string() })),
  }),
});

export const AskedPermission = z.object({
  sessionId: z.string(),
  toolCall: z.object({
    title: loose(z.string()),
    kind: loose(z.string()),
    locations: loose(z.array(z.object({ path: z.string() }))),
  }),
  options: z.array(z.object({ optionId: z.string(), kind: z.string() })),
});

export const Prompted = z.object({
  stopReason: z.string(),
  usage: loose(z.object({ totalTokens: z.number() })),
});

/** A sign of life, whatever it is. */
export function signOf({ update }: z.infer<typeof Notified>): LegSign {
  const { sessionUpdate, content, title, used, size, cost } = update;
  switch (sessionUpdate) {
    case 'agent_message_chunk':
      return worded('said', content?.text);
    case 'agent_thought_chunk':
      return worded('thought', content?.text);
    case 'tool_call':
      return worded('tool', title);
    case 'usage_update':
      return {
        kind: 'usage',
        usage: {
          ...(used === undefined || size === undefined || size <= 0
            ? {}
            : { context: Math.min(Math.max(used / size, 0), 1) }),
          ...(cost === undefined ? {} : { cost: { amount: cost.amount, unit: cost.currency } }),
        },
      };
    default:
      return { kind: 'life' };
  }
}

function worded(kind: 'said' | 'thought' | 'tool', text = ''): LegSign {
  return text === '' ? { kind: 'life' } : { kind, text };
}

const permissions: Readonly<Partial<Record<string, PermissionName>>> = {
  read: 'read',
  search: 'read',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  execute: 'execute',
  fetch: 'network',
};

/** What it is for. A file outside the folder in which the agent works is that before all else. */
export function permissionFor(
  { kind, locations = [] }: z.infer<typeof AskedPermission>['toolCall'],
  folder: string,
): PermissionName | null {
  const isOutside = locations.some(({ path }) => {
    const way = relative(folder, resolve(folder, path));
    return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  });
  return isOutside ? 'outside' : (permissions[kind ?? ''] ?? null);
}
