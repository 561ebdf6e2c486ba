import { expect, test } from 'vitest';
import { DocumentMembers } from './document.ts';

function taken(text: string, pieceBytes = text.length): { members: DocumentMembers; records: string[] } {
  const members = new DocumentMembers();
  const bytes = Buffer.from(text);
  const records: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes)
    for (const record of members.take(bytes.subarray(at, at + pieceBytes)))
      records.push(Buffer.from(record).toString());
  return { members, records };
}

const messages = [
  { id: 'a', content: [{ text: 'brackets ]}, "quotes" \\ and {[ — ü', n: [1, [2, { x: null }]] }] },
  { id: 'b', content: '' },
  'no object, and a \\" quote, with a comma',
];
const document = { version: 1, origin: { messages: ['not these', '"messages": ['] }, messages, after: [1] };

test.each([1, 2, 3, 7, 64, 10_000])('a message is a record, in pieces of %d bytes too', (pieceBytes) => {
  const { members, records } = taken(JSON.stringify(document, null, 2), pieceBytes);
  expect(records).toEqual(messages.map((message) => JSON.stringify(message)));
  expect(members.isWhole).toBe(true);
  expect(JSON.parse(`${members.head}[]}`)).toEqual({ version: 1, origin: document.origin, messages: [] });
});

test('one that was cut gives the messages that are whole, and says that it was', () => {
  const text = JSON.stringify(document);
  const { members, records } = taken(text.slice(0, text.indexOf('no object')));
  expect(records).toHaveLength(2);
  expect(members.isWhole).toBe(false);
});

test.each([
  '',
  '[]',
  '{"messages": 7}',
  '{"x": {"messages": [1]}}',
  'words',
  `{"a": "${'x'.repeat(200_000)}"}`,
])('what has no list of messages has no head (%#)', (text) => {
  const { members, records } = taken(text);
  expect([members.head, members.isWhole, records]).toEqual([null, false, []]);
});
