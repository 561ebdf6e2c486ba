import { anchored } from '../rules.ts';
import { loadSecondOpinion, type SecondOpinion } from '../second-opinion.ts';
import type { LazyScan } from './passage.ts';
import { createScan } from './scan.ts';

/** The second opinion is loaded when it is first asked for; what was scanned without it is scanned again. */
export function lazyScan(values: readonly string[], only?: 'values'): LazyScan {
  let opinion: SecondOpinion | undefined;
  let isWanted = false;
  const scan = createScan(anchored(values, only), (text, rules) => {
    isWanted ||= opinion === undefined;
    return opinion?.(text, rules) ?? [];
  });
  return async (bytes, before) => {
    const first = scan(bytes, before);
    if (!isWanted) return first;
    opinion = await loadSecondOpinion();
    isWanted = false;
    return scan(bytes, before);
  };
}
