import type { PacketPage } from '../../../src/server/contract/contract.ts';
import { Prose } from '../parts/prose.tsx';
import { DigestOf, Section } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { Beside } from './beside.tsx';

interface Props {
  readonly task: string;
  readonly packet: PacketPage['packet'];
}

/** What goes along with a packet, and what could not. */
export function LeftPart({ task, packet: { artefacts, losses = [], redactions = {}, skills = [] } }: Props) {
  const taken = Object.entries(redactions);
  return (
    <>
      {artefacts.length === 0 ? (
        <Beside path="artefacts" />
      ) : (
        <Section title="Artefacts">
          <ul class="claims">
            {artefacts.map(({ path, role, why, digest }, n) => (
              <li key={n}>
                <a href={addressOf({ page: 'task', task, view: 'diff', at: path })}>
                  <code>{path}</code>
                </a>{' '}
                {role === undefined ? null : <strong>{role} </strong>}
                {digest === undefined ? null : <DigestOf digest={digest} />}
                {why === undefined ? null : <Prose text={why} />}
                <Beside path={`artefacts[${n}]`} />
              </li>
            ))}
          </ul>
          <Beside path="artefacts" />
        </Section>
      )}
      {losses.length === 0 ? (
        <Beside path="losses" />
      ) : (
        <Section title="Not carried over">
          <ul class="claims">
            {losses.map(({ what, why }, n) => (
              <li key={n}>
                <strong>{what}</strong> <Prose text={why} />
                <Beside path={`losses[${n}]`} />
              </li>
            ))}
          </ul>
          <Beside path="losses" />
        </Section>
      )}
      {taken.length === 0 ? (
        <Beside path="redactions" />
      ) : (
        <Section title="Secrets taken out">
          <ul>
            {taken.map(([rule, count]) => (
              <li key={rule}>
                {rule} × {count}
              </li>
            ))}
          </ul>
          <Beside path="redactions" />
        </Section>
      )}
      {skills.length === 0 ? (
        <Beside path="skills" />
      ) : (
        <Section title="Skills to load">
          <ul>
            {skills.map((skill) => (
              <li key={skill}>
                <code>{skill}</code>
              </li>
            ))}
          </ul>
          <Beside path="skills" />
        </Section>
      )}
    </>
  );
}
