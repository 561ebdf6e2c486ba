import { get, taskPath } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Section, Twin } from '../parts/words.tsx';

interface Export {
  readonly title: string;
  readonly path: string;
  readonly says: string;
  readonly twin: string;
}

function exportsOf(task: string): readonly Export[] {
  return [
    {
      title: 'Signed bundle',
      path: 'export',
      says: 'The task with its whole history, for another store. Signed as a whole with your key, where this store can keep one for you; import says who signed it.',
      twin: `staffetta export ${task} --out ${task}.staffetta`,
    },
    {
      title: 'Signatures',
      path: 'envelopes',
      says: 'Every signed checkpoint and approval as a DSSE envelope with its public key, for other tools.',
      twin: `staffetta export ${task} --envelopes > ${task}.envelopes.jsonl`,
    },
    {
      title: 'HTML report',
      path: 'report.html',
      says: 'One page that shows all of it, without this server.',
      twin: `staffetta report ${task} > ${task}.html`,
    },
    {
      title: 'ATIF',
      path: 'history.atif.json',
      says: 'The reasoning as a trajectory, for other tools.',
      twin: `staffetta history ${task} --format atif`,
    },
    {
      title: 'Markdown',
      path: 'history.md',
      says: 'The reasoning, to be read.',
      twin: `staffetta history ${task} --format md`,
    },
    {
      title: 'JSON',
      path: 'history.json',
      says: 'The reasoning, step by step.',
      twin: `staffetta history ${task} --format json`,
    },
  ];
}

/** Only what this server has: its own description says what that is. */
export function Exports({ task }: { readonly task: string }) {
  const { value } = useLoaded('openapi', async (signal) => {
    const { paths } = await get<{ readonly paths: Readonly<Record<string, unknown>> }>(
      '/api/openapi.json',
      {},
      signal,
    );
    return Object.keys(paths);
  });
  const there = value.value;
  if (there === undefined) return null;
  return (
    <Section title="Take it with you">
      <ul class="claims exports">
        {exportsOf(task)
          .filter(({ path }) => there.includes(`/api/tasks/{task}/${path}`))
          .map(({ title, path, says, twin }) => (
            <li key={title}>
              <a href={taskPath(task, path)} download>
                {title}
              </a>{' '}
              {says} <Twin command={twin} />
            </li>
          ))}
      </ul>
    </Section>
  );
}
