/** What waits with a task: questions to answer, messages nobody has read, what a person has to judge, what was sent back. */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TaskPage } from '../../../src/server/contract/contract.ts';
import { twinOf } from '../../../src/server/contract/twins.ts';
import { taskPath } from '../api/client.ts';
import { useAsking } from '../levers/asked.ts';
import { Prose } from '../parts/prose.tsx';
import { addressed, counted } from '../parts/said.ts';
import { Ago, RefusalNote, Section, Twin } from '../parts/words.tsx';
import { may } from '../shell/me.ts';
import { addressOf } from '../shell/place.ts';

interface Props {
  readonly page: TaskPage;
  readonly reload: () => void;
}

export function Waits({ page, reload }: Props) {
  const { state, questions, messages, demands, findings } = page;
  const submitted = state.status === 'submitted';
  const writing = useSignal<Asked | undefined>(undefined);
  const count = questions.length + messages.length + demands.length + findings.length;
  if (count === 0 && !submitted && writing.value === undefined) return null;
  const isGone = !questions.some(({ decision }) => decision === writing.value?.decision);
  const asked = writing.value !== undefined && isGone ? [...questions, writing.value] : questions;
  return (
    <Section title="What waits">
      {submitted ? (
        <p>
          The work waits for a verdict.{' '}
          <a href={addressOf({ page: 'review', task: state.task })}>Review it</a>
        </p>
      ) : null}
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
  const answer = useSignal('');
  const open = useSignal(false);
  const { busy, refusal, send } = useAsking();
  const submit = async (): Promise<void> => {
    const outcome = await send(taskPath(task, 'answer'), { decision, answer: answer.value });
    if (outcome === undefined) return;
    open.value = false;
    reload();
  };
  useEffect(() => {
    if (open.value) writing.value = asked;
    else if (writing.peek()?.decision === decision) writing.value = undefined;
  }, [open.value]);
  const given = answer.value.trim();
  return (
    <div class="question">
      <h3>
        Question {decision}
        {owner === null ? '' : <span class="quiet"> for {addressed(owner)}</span>}
      </h3>
      <Prose text={question} />
      {may('tell') && !gone ? (
        <div class="lever-row">
          {options.map((option) => (
            <button
              key={option}
              type="button"
              aria-pressed={open.value && option === answer.value}
              onClick={() => {
                answer.value = option;
                open.value = true;
              }}
            >
              {option}
            </button>
          ))}
          <button type="button" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
            Answer
          </button>
        </div>
      ) : null}
      {open.value ? (
        <form
          class="lever-form"
          aria-label={`Answer question ${decision}`}
          onSubmit={(event) => {
            event.preventDefault();
            if (given !== '' && !gone) void submit();
          }}
        >
          {gone ? (
            <p class="banner" role="alert">
              Somebody else answered it. What you wrote is kept here until you close it.
            </p>
          ) : null}
          <label>
            Answer
            <textarea
              rows={2}
              required
              value={answer.value}
              onInput={(event) => (answer.value = event.currentTarget.value)}
            />
          </label>
          {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} />}
          <div class="lever-row">
            <button type="submit" class="primary" disabled={given === '' || busy.value || gone}>
              Send the answer
            </button>
            <button type="button" class="plain" onClick={() => (open.value = false)}>
              Close
            </button>
          </div>
          <Twin
            command={twinOf('answer', task, { decision, answer: given === '' ? 'TEXT' : answer.value })}
          />
        </form>
      ) : null}
    </div>
  );
}
