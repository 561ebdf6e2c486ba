import { memoryAddress } from '../../../ports/store-address.ts';
import { defined } from '../../../core/base/defined.ts';
import { isLane } from '../../../core/task/actor.ts';
import { limits } from '../../../core/base/limits.ts';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import { wordIndexOf } from '../../../home/word-index.ts';
import { search, type SearchHit, type SearchOptions } from '../../../handoff/views/search.ts';
import { readersOf } from '../../../handoff/history/story.ts';
import { formatShort } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { line, type Paint } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { cap, text, texts } from '../../frame/values.ts';
import { next } from '../../pages/words.ts';
import { statusFrom } from './ls.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const options = optionsFrom(positionals.join(' '), values);
  const context = await session.context();
  const index = wordIndexOf(session.dryRun ? { address: memoryAddress } : context.store);
  try {
    const means = { index: await index.words(), readerOf: readersOf(await loadRuntimes(session.env)) };
    const found = await search(context, means, options);
    const now = context.clock.now();
    session.output.data(found, () =>
      found.hits.map((hit) => hitText(hit, session.output.paint, now)).join('\n'),
    );
    const [first] = found.hits;
    if (first === undefined) session.output.say('Nothing fits.');
    else next(session.output, `staffetta show ${first.task}${first.ref === null ? '' : ` ${first.ref}`}`);
    if (found.more) session.output.say('There is more: say it more exactly, or raise --limit.');
    return exits.ok;
  } finally {
    await index.close();
  }
}

function optionsFrom(words: string, values: Values): SearchOptions {
  const asked = texts(values, 'status')?.flatMap((given) => given.split(','));
  const lane = text(values, 'lane');
  const holder = text(values, 'holder');
  const limit = cap(values, 'limit', limits.pageMax);
  return {
    words,
    ...(asked === undefined ? {} : { statuses: asked.map(statusFrom) }),
    ...(lane !== undefined && isLane(lane) ? { lane } : {}),
    ...defined({ holder, limit }),
  };
}

/** Two lines: which task and where in it, and the words around what was found. */
function hitText(hit: SearchHit, paint: Paint, now: number): string {
  const { task, status, title, where, field, ref, at } = hit;
  const place = [where, field, ref].filter((part) => part !== null).join(' ');
  const age = at === null ? '' : `, ${formatShort(Math.max(0, now - at))} ago`;
  return `${task} ${status}  ${line(title)}\n  ${paint.dim(`${place}${age}:`)} ${marked(hit, paint)}`;
}

function marked({ text: found, marks }: SearchHit, paint: Paint): string {
  let shown = '';
  let at = 0;
  for (const { from, to } of marks) {
    shown += line(found.slice(at, from)) + paint.bold(line(found.slice(from, to)));
    at = to;
  }
  return shown + line(found.slice(at));
}
