import { packageFile } from '../../../compose/package-file.ts';
import { exits } from '../../frame/fail.ts';
import type { Invocation } from '../../frame/spec.ts';

/** The same as the entry that init names to programs; that one starts sooner. */
export async function run({ positionals }: Invocation): Promise<number> {
  const [runtime = '', name = ''] = positionals;
  const { runHook } = await import('../../../hook/run.ts');
  await runHook({ runtime, name, entry: packageFile('dist/hook/main.cjs') });
  return exits.ok;
}
