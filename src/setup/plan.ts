/** Which files init would change, for whom, and where. Nothing is read or written here. */
import { join } from 'node:path';
import { defined } from '../core/base/defined.ts';
import type { RuntimeName } from '../ports/runtime.ts';
import { agentsForm, agentsKind } from './files.ts';
import type { Homes, PlannedFile, Scope } from './forms/agent-setup.ts';

export function plannedFiles(runtime: RuntimeName, scope: Scope, place: Homes): PlannedFile[] {
  const home = place.homes[runtime];
  if (home === undefined) return [];
  const { kinds, files: filesIn } = place.setups[runtime];
  const files = filesIn(scope, home, place);
  const root = scope === 'user' ? null : place.root;
  return files.flatMap(([kind, path]) => {
    const form = kinds[kind];
    const hooks = files.find(([other]) => other === form?.leansOn)?.[1];
    return form === undefined ? [] : [{ kind, path, runtime, root, form, ...defined({ hooks }) }];
  });
}

export function agentsFile(root: string): PlannedFile {
  return { kind: agentsKind, path: join(root, 'AGENTS.md'), runtime: null, root, form: agentsForm };
}
