/** What waits with a task: questions to answer, messages nobody has read, what a person has to judge, what was sent back. */
import { useSignal, type Signal } from '@preact/signals';
import type { TaskPage } from '../../../src/server/contract/contract.ts';
import { waitingPhase } from '../../../src/core/task/state.ts';
import { Acts } from '../acts/act-form.tsx';
import { answerAct, phaseAct } from '../acts/acts.ts';
import { Prose } from '../parts/prose.tsx';
import { addressed, counted } from '../parts/said.ts';
import { Ago, Section } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';

interface Props {
  readonly page: TaskPage;
  readonly reload: () => void;
}

export function Waits({ page, reload }: Props) {
  const { state, questions, messages, demands, findings } = page;
  const submitted = state.status === 'submitted';
  const phase = waitingPhase(state);
  const unknown = state.effects.filter((effect) => effect.unknown);
  const writing = useSignal<Asked | undefined>(undefined);
  const count = questions.length + messages.length + demands.length + findings.length;
  if (count + unknown.length === 0 && !submitted && phase === undefined && writing.value === undefined)
    return null;
  const isGone = !questions.some(({ decision }) => decision === writing.value?.decision);
  const asked = writing.value !== undefined && isGone ? [...questions, writing.value] : questions;
  return (
    <Section title="Pending">
      {submitted ? (
        <p>
          The work waits for a verdict.{' '}
          <a href={addressOf({ page: 'review', task: state.task })}>Review it</a>
        </p>
      ) : null}
      {phase === undefined ? null : <Acts acts={[phaseAct(phase)]} tasks={[state.task]} done={reload} />}
      <List
        title="Nobody knows whether these took place; the holder finds out and settles them"
        items={unknown.map(({ effect }) => effect)}
      />
      {asked.map((question) => (
        <Question
          key={question.decision}
          task={state.task}
          question={question}
          reload={reload}
          gone={isGone && question === writing.value}
          writing={writing}
        />
      ))}
      {messages.length === 0 ? null : (
        <>
          <h3>{counted(messages.length, 'message')} that no holder has read</h3>
          <ul class="plain-list">
            {messages.map(({ seq, from, at, text, answers }) => (
              <li key={`${seq} ${text}`}>
                <span class="quiet">
                  {from}, <Ago at={at} />
                  {answers === undefined ? '' : `, to question ${answers.decision}: ${answers.question}`}
                </span>
                <Prose text={text} />
              </li>
            ))}
          </ul>
        </>
      )}
      <List title="Only a person may approve it" items={demands} />
      {findings.length === 0 ? null : (
        <>
          <h3>Sent back, to be mended</h3>
          <ul class="plain-list">
            {findings.map(({ text, path, line, side }, n) => (
              <li key={n} class="note-line warning">
                {path === undefined ? null : (
                  <a href={addressOf({ page: 'task', task: state.task, view: 'diff', at: path })}>
                    <code>
                      {path}
                      {line === undefined ? '' : `:${side === 'old' ? '-' : ''}${line}`}
                    </code>
                  </a>
                )}
                <Prose text={text} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

function List({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </>
  );
}

type Asked = TaskPage['questions'][number];

interface QuestionProps {
  readonly task: string;
  readonly question: Asked;
  readonly reload: () => void;
  /** Somebody else answered it. What was written here stays until it is taken away. */
  readonly gone: boolean;
  readonly writing: Signal<Asked | undefined>;
}

function Question({ task, question: asked, reload, gone, writing }: QuestionProps) {
  const { decision, question, options, owner } = asked;
  return (
    <div class="question">
      <h3>
        Question {decision}
        {owner === null ? '' : <span class="quiet"> for {addressed(owner)}</span>}
      </h3>
      <Prose text={question} />
      <Acts
        acts={[answerAct(decision, options)]}
        tasks={[task]}
        done={reload}
        over={gone ? 'answered' : undefined}
        onWriting={(is) => {
          if (is) writing.value = asked;
          else if (writing.peek()?.decision === decision) writing.value = undefined;
        }}
      />
    </div>
  );
}
