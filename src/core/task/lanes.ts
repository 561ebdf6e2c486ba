/** What a leg is for: write the contract, change the workspace, verify without changing, route and escalate. In the order in which they are shown. */
export const lanes = ['plan', 'execute', 'audit', 'supervise'] as const;
