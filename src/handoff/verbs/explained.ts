import type { Digest } from '../../core/journal/digest.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../record/context.ts';
import { readFindings } from '../sealing/findings.ts';

/** A reviewer who approves over what the gate found says why: on a page or at a terminal, the reason goes on record. */
export async function refuseUnexplained(
  context: Context,
  task: TaskId,
  { findings, why }: { readonly findings: Digest | null; readonly why: string | undefined },
): Promise<void> {
  // Blanks, controls and what is drawn as nothing: a reason made of them is none.
  if (why !== undefined && why.replaceAll(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu, '') !== '')
    return;
  const open = (await readFindings(context, findings)).filter(({ severity }) => severity !== 'note');
  if (open.length === 0) return;
  throw new StaffettaError(
    'invalid-input',
    `The gate found ${open.length === 1 ? 'something' : `${open.length} things`} in the packet of task ${task}: an approval over that says why.`,
    {
      details: { task, findings: open },
      hint: `Give the reason as why (--why TEXT), or send the work back. What was found: staffetta review ${task}`,
    },
  );
}
