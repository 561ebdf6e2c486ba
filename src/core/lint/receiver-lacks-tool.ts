import type { Rule } from './rule.ts';

export const receiverLacksTool: Rule = {
  id: 'receiver-lacks-tool',
  title: 'The receiver has the tools the work needs',
  about: 'transfer',
  weight: { strict: 'error', softer: { research: 'warning' } },
  check({ receiver, neededTools }) {
    const tools = receiver?.tools ?? null;
    if (tools === null) return [];
    return neededTools
      .filter((tool) => !tools.includes(tool))
      .map((tool) => ({
        path: 'to',
        text: `${receiver?.runtime ?? 'The receiver'} has no tool "${tool}", which the work needs.`,
        fix: 'Hand it to a runtime that has it, or set it up there first.',
      }));
  },
};
