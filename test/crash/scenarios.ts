import { carryScenarios } from './carry-scenarios.ts';
import { crewScenarios } from './crew-scenarios.ts';
import { finishScenarios } from './finish-scenarios.ts';
import type { Scenario } from './scenario.ts';
import { transferScenarios } from './transfer-scenarios.ts';
import { travelScenarios } from './travel-scenarios.ts';
import { workspaceScenarios } from './workspace-scenarios.ts';

/** Every verb at least once. A verb that is missing here is a verb that was never interrupted. */
export const scenarios: readonly Scenario[] = [
  ...transferScenarios,
  ...carryScenarios,
  ...finishScenarios,
  ...crewScenarios,
  ...travelScenarios,
  ...workspaceScenarios,
];

export function scenarioNamed(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`there is no scenario ${JSON.stringify(name)}`);
  return found;
}
