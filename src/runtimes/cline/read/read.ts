/** Records to transcript: pure, and tolerant of everything a file can hold. What a message says is known by its shape (`core/formats/shapes/cline.ts`). */
import { readCline } from '../../../core/formats/shapes/cline.ts';
import { bareFacts } from '../../../core/transcript/bare-facts.ts';
import { fieldsOf, own, partIn, textIn, timeIn, type Fields } from '../../../core/transcript/loose-json.ts';
import { StepList } from '../../../core/transcript/step-list.ts';
import type { SessionFacts, Step, Transcript } from '../../../core/transcript/step.ts';
import { saysSpent, saysTooLong } from '../../limit-words.ts';

type Facts = { -readonly [K in keyof SessionFacts]: SessionFacts[K] };

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function read(records: Iterable<Uint8Array>): Transcript {
  const list = new StepList();
  const facts: Facts = bareFacts('cline');
  let place = 0;
  for (const bytes of records) {
    const fields = fieldsIn(bytes);
    const session = partIn(fields, 'session');
    if (session !== null) learn(facts, session);
    else if (fields === null || own(fields, 'role') === undefined)
      list.losses.add('record-unreadable', 'a record that is no message');
    else readCline([{ place, value: fields }], list);
    place += 1;
  }
  const transcript = list.transcript(facts);
  return { ...transcript, steps: transcript.steps.map(limited) };
}

function fieldsIn(bytes: Uint8Array): Fields | null {
  try {
    return fieldsOf(JSON.parse(decoder.decode(bytes)));
  } catch {
    return null;
  }
}

function learn(facts: Facts, session: Fields): void {
  facts.session = textIn(session, 'id') ?? facts.session;
  facts.folder = textIn(session, 'folder') ?? facts.folder;
  facts.startedAt = timeIn(session, 'startedAt') ?? facts.startedAt;
  facts.title = textIn(session, 'title') ?? facts.title;
  facts.version = textIn(session, 'version') ?? facts.version;
  facts.parent = textIn(session, 'parent') ?? facts.parent;
}

/** Of why a turn failed it keeps the words alone. */
function limited(step: Step): Step {
  if (step.mark !== 'error') return step;
  if (saysSpent(step.text)) return { ...step, mark: 'usage-limit' };
  return saysTooLong(step.text) ? { ...step, mark: 'context-limit' } : step;
}
