import type { PermissionName } from '../../src/core/plan/crew.ts';
import type { AgentManner, AgentNote } from '../../src/conformance/index.ts';

export interface Own {
  note: (entry: Omit<AgentNote, 'pid'>) => void;
  say: (text: string) => void;
  isLetGo: () => boolean;
  may: (permission: PermissionName, what: string) => Promise<'once' | 'always' | 'no'>;
  leave: () => Promise<void>;
  garbage?: () => void;
  strange?: () => void;
  long?: () => void;
  hangUp?: () => void;
}

export const manners: Readonly<Record<AgentManner, (own: Own) => Promise<string | undefined>>>;
