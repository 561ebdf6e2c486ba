import { StaffettaError } from '../base/error.ts';
import { eventShape, type Event } from './event.ts';
import { newestVersion } from './event-versions.ts';
import { tryParse } from '../base/parse.ts';

/** Lifts one stored event from version `v` to `v + 1`. */
export type Upcast = (event: Record<string, unknown>) => Record<string, unknown>;

/** By `type@v`. Empty while every event is at its first version. */
export const upcasts: ReadonlyMap<string, Upcast> = new Map();

/** Any event ever written becomes today's event, or a clear refusal: newer software wrote it, or it is damaged. */
export function readEvent(raw: unknown, table: ReadonlyMap<string, Upcast> = upcasts): Event {
  let value = raw as Record<string, unknown>;
  for (;;) {
    const type = value?.['type'];
    const version = value?.['v'];
    if (typeof type === 'string' && typeof version === 'number') {
      const lift = table.get(`${type}@${version}`);
      if (lift !== undefined) {
        value = lift(value);
        continue;
      }
    }
    const shape = eventShape(type);
    const parsed = shape === undefined ? undefined : tryParse(shape, value);
    if (parsed?.success === true) return parsed.data;
    const isNewer = typeof type === 'string' && typeof version === 'number' && version > newestVersion(type);
    if (typeof type === 'string' && typeof version === 'number' && (parsed === undefined || isNewer)) {
      throw new StaffettaError(
        'store-newer',
        `The journal holds an event this version does not know: ${type} v${version}.`,
        {
          details: { type, v: version },
          hint: 'Update staffetta to the version that wrote it.',
        },
      );
    }
    throw new StaffettaError('corrupt', 'A journal event does not have the shape of its type.', {
      details: {
        type,
        issues: (parsed?.error?.issues ?? [])
          .slice(0, 3)
          .map((issue) => `${issue.path.join('.')}: ${issue.message}`),
      },
    });
  }
}
