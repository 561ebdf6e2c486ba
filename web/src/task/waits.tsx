/** What waits with a task: questions to answer, messages nobody has read, what a person has to judge, what was sent back. */
import { useSignal } from '@preact/signals';
import type { TaskPage } from '../../../src/server/contract.ts';
import { twinOf } from '../../../src/server/twins.ts';
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
  const count = questions.length + messages.length + demands.length + findings.length;
  if (count === 0 && !submitted) return null;
  return (
    <Section title="What waits">
      {submitted ? (
        <p>
          The work waits for a verdict.{' '}
          <a href={addressOf({ page: 'review', task: state.task })}>Review it</a>
        </p>
      ) : null}
      {questions.map((question) => (
        <Question key={question.decision} task={state.task} question={question} reload={reload} />
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

interface QuestionProps {
  readonly task: string;
  readonly question: TaskPage['questions'][number];
  readonly reload: () => void;
}

function Question({ task, question: { decision, question, options, owner }, reload }: QuestionProps) {
  const answer = useSignal('');
  const open = useSignal(false);
  const { busy, refusal, send } = useAsking();
  const submit = async (): Promise<void> => {
    const outcome = await send(taskPath(task, 'answer'), { decision, answer: answer.value });
    if (outcome !== undefined) reload();
  };
  const given = answer.value.trim();
  return (
    <div class="question">
      <h3>
        Question {decision}
        {owner === null ? '' : <span class="quiet"> for {addressed(owner)}</span>}
      </h3>
      <Prose text={question} />
      {may('tell') ? (
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
            if (given !== '') void submit();
          }}
        >
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
            <button type="submit" class="primary" disabled={given === '' || busy.value}>
              Send the answer
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
