import { expect, test } from 'vitest';
import { reportOf, type Proof } from './report.ts';

const proof = (from: Proof['from'], to: Proof['from'], rest: Partial<Proof> = {}): Proof => ({
  kind: 'full history',
  from,
  to,
  state: 'passed',
  ms: 1234,
  ...rest,
});

test('the report has a table for each kind, and says in large letters what is not proven', () => {
  const note = 'Gemini CLI 0.61.0 is not here: npm install ended with 1';
  const report = reportOf(
    [
      proof('claude-code', 'codex'),
      proof('codex', 'claude-code', { state: 'failed' }),
      proof('codex', 'gemini-cli', { state: 'skipped', note }),
      proof('gemini-cli', 'codex', { state: 'skipped', note }),
      proof('opencode', 'opencode', { kind: 'briefing', ms: 7000 }),
      { kind: 'usage limit', from: 'codex', state: 'passed', ms: 2000 },
    ],
    84_000,
  );
  expect(report).toBe(
    [
      'full history     claude-code        cline        codex  copilot-cli   gemini-cli     opencode    qwen-code',
      '  claude-code              –            –        1.2 s            –            –            –            –',
      '  cline                    –            –            –            –            –            –            –',
      '  codex               FAILED            –            –            –   NOT PROVEN            –            –',
      '  copilot-cli              –            –            –            –            –            –            –',
      '  gemini-cli               –            –   NOT PROVEN            –            –            –            –',
      '  opencode                 –            –            –            –            –            –            –',
      '  qwen-code                –            –            –            –            –            –            –',
      '',
      'briefing         claude-code        cline        codex  copilot-cli   gemini-cli     opencode    qwen-code',
      '  claude-code              –            –            –            –            –            –            –',
      '  cline                    –            –            –            –            –            –            –',
      '  codex                    –            –            –            –            –            –            –',
      '  copilot-cli              –            –            –            –            –            –            –',
      '  gemini-cli               –            –            –            –            –            –            –',
      '  opencode                 –            –            –            –            –        7.0 s            –',
      '  qwen-code                –            –            –            –            –            –            –',
      '',
      'alone            claude-code        cline        codex  copilot-cli   gemini-cli     opencode    qwen-code',
      '  usage limit              –            –        2.0 s            –            –            –            –',
      '',
      `NOT PROVEN  2 of 6: ${note}`,
      '',
      'Proven: full history 1 of 4, briefing 1 of 1, usage limit 1 of 1; 84.0 s',
    ].join('\n'),
  );
});

test('a run without any proof says so', () => {
  expect(reportOf([], 0)).toBe('Proven: nothing; 0.0 s');
});
