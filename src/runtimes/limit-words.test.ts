import { expect, test } from 'vitest';
import { saysSpent, saysTooLong } from './limit-words.ts';

test.each([
  'Prompt is too long',
  'Conversation too long. Press esc twice to go up a few messages and try again.',
  'API Error: 400 prompt is too long: 208310 tokens > 200000 maximum',
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
  'Your input exceeds the context window of this model. Please adjust your input and try again.',
  "Codex ran out of room in the model's context window. Start a new thread or clear earlier history.",
  'The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).',
  'context_length_exceeded',
  'Context limit reached · /compact or /clear to continue',
  'API Error: 400 input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000',
])('a full window is known by the words of a service: %s', (words) => {
  expect(saysTooLong(words)).toBe(true);
});

test.each([
  'API Error: 529 overloaded',
  'The file name is too long',
  'You have reached your specified API usage limits.',
])('other failures are no full window: %s', (words) => {
  expect(saysTooLong(words)).toBe(false);
});

test.each([
  'Credit balance is too low',
  'Your credit balance is too low to access the API.',
  'You exceeded your current quota, please check your plan and billing details.',
  'insufficient_quota',
  'Spending cap reached resets Dec 1',
  "You've used all your credits. Buy more to continue.",
])('an account with nothing left is known by the words of a service: %s', (words) => {
  expect(saysSpent(words)).toBe(true);
});

test.each(['API Error: Request rejected (429)', 'Prompt is too long', 'Insufficient permissions'])(
  'other failures leave the account as it is: %s',
  (words) => {
    expect(saysSpent(words)).toBe(false);
  },
);
