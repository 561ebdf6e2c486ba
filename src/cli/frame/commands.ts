import { lookSpecs } from '../specs/look.ts';
import { carrySpecs } from '../specs/carry.ts';
import { crewSpecs } from '../specs/crew.ts';
import { keepSpecs } from '../specs/keep.ts';
import { resumeSpecs } from '../specs/resume.ts';
import { serveSpecs } from '../specs/serve.ts';
import { taskSpecs } from '../specs/tasks.ts';
import type { CommandSpec } from './spec.ts';

export const commands: readonly CommandSpec[] = [
  ...taskSpecs,
  ...resumeSpecs,
  ...carrySpecs,
  ...crewSpecs,
  ...lookSpecs,
  ...serveSpecs,
  ...keepSpecs,
];

export function findCommand(name: string): CommandSpec | undefined {
  return commands.find((command) => command.name === name);
}
