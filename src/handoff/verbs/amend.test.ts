import { describe, expect, test } from 'vitest';
import { ada, eve, stage } from '../../../test/support/world.ts';
import { sealContract, type Contract } from '../../core/contract/contract.ts';
import { amend, type Amendment } from './amend.ts';
import { readContract } from '../history/history.ts';
import { judgeDraft } from '../sealing/judge.ts';
import { record } from '../record/record.ts';

function adding(constraint: string): Amendment {
  const change = (contract: Contract): Contract => ({
    ...contract,
    constraints: [...(contract.constraints ?? []), constraint],
  });
  return { change, asked: { adding: constraint }, why: 'agreed' };
}

const protecting = (path: string): Amendment => ({
  change: (contract) => ({ ...contract, protectedPaths: [...(contract.protectedPaths ?? []), path] }),
  asked: path,
  why: 'x',
});

describe('amending a contract', () => {
  test('a new version is in force, and the old one stays readable', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'one' }, { as: ada });
    const { contract: before } = await leg.state();
    const { state } = await amend(at.context, leg.task, adding('Use oak.'), { by: eve });
    expect(await readContract(at.context, state.contract)).toMatchObject({
      goal: 'one',
      constraints: ['Use oak.'],
    });
    expect(await readContract(at.context, before)).not.toHaveProperty('constraints');
  });

  test('paths are spelled from the root of the workspace, and one that would protect nothing is refused', async () => {
    const at = stage();
    const { task } = await at.staffetta.open({ goal: 'one', protectedPaths: ['./deploy'] }, { as: eve });
    await amend(at.context, task, protecting('./infra//'), { by: eve });
    const { contract } = await at.staffetta.show(task);
    expect(await readContract(at.context, contract)).toMatchObject({ protectedPaths: ['deploy', 'infra/'] });
    await expect(amend(at.context, task, protecting('/etc/passwd'), { by: eve })).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'The path /etc/passwd is absolute and not in the workspace: it would protect nothing.',
    });
    await expect(
      at.staffetta.open({ goal: 'one', protectedPaths: [String.raw`a\b`] }, { as: eve }),
    ).rejects.toMatchObject({ code: 'invalid-input', hint: 'Write it with slashes: a/b' });
  });

  test('a title that was made from the goal follows it, and one that was given stays', async () => {
    const at = stage();
    const goal: Amendment = { change: (contract) => ({ ...contract, goal: 'two' }), asked: 'two', why: 'x' };
    const made = await at.staffetta.open({ goal: 'one' }, { as: eve });
    expect((await amend(at.context, made.task, goal, { by: eve })).state.terms.title).toBe('two');
    const given = await at.staffetta.open({ goal: 'one', title: 'Fence' }, { as: eve });
    expect((await amend(at.context, given.task, goal, { by: eve })).state.terms.title).toBe('Fence');
  });

  test('a holder may narrow, and not widen', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'one', constraints: ['Use oak.'] }, { as: ada });
    const held = { ...adding('Use nails.'), generation: leg.generation };
    await amend(at.context, leg.task, held, { by: ada });
    const wider: Amendment = {
      change: (contract) => ({ ...contract, constraints: [] }),
      asked: 'drop',
      why: 'x',
      generation: leg.generation,
    };
    await expect(amend(at.context, leg.task, wider, { by: ada })).rejects.toMatchObject({
      code: 'lane-denied',
    });
  });

  test.each<[string, Partial<Contract>]>([
    ['acceptance', { acceptance: ['It stands.', 'A mobile app exists too.'] }],
    ['phases', { phases: [{ name: 'deploy' }] }],
    ['review', { review: { stop: 'verified' } }],
    ['title', { title: 'Something else' }],
    ['skills', { skills: ['evil.md'] }],
    ['needs', { needs: [] }],
  ])('a holder outside the plan lane may not widen by %s, and a person may', async (field, more) => {
    const at = stage();
    const need = await at.staffetta.open({ goal: 'first' }, { as: eve });
    const leg = await at.staffetta.begin(
      { goal: 'one', acceptance: ['It stands.'], review: { stop: 'patch' } },
      { as: ada },
    );
    const needing: Amendment = {
      change: (contract) => ({ ...contract, needs: [need.task] }),
      asked: 'need',
      why: 'x',
    };
    await amend(at.context, leg.task, needing, { by: eve });
    const wider: Amendment = { change: (contract) => ({ ...contract, ...more }), asked: field, why: 'x' };
    const refused = amend(at.context, leg.task, { ...wider, generation: 1 }, { by: ada });
    await expect(refused).rejects.toMatchObject({
      code: 'lane-denied',
      details: { widenings: [expect.stringMatching(`^${field}:`) as string] },
    });
    expect((await amend(at.context, leg.task, wider, { by: eve })).state.mark.contract).toBe(3);
  });

  test('what a person agreed to since the last packet is no growth of the work', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'one', acceptance: ['It stands.'] }, { as: ada });
    await leg.checkpoint();
    const more: Amendment = {
      change: (contract) => ({ ...contract, goal: 'two', acceptance: ['It stands.', 'It is painted.'] }),
      asked: 'more',
      why: 'agreed',
    };
    await amend(at.context, leg.task, more, { by: eve });
    await leg.amend({ nonGoals: ['A gate.'] }, 'narrower');
    const { findings } = await judgeDraft(at.context, leg.task, {}, { by: ada });
    expect(findings.map(({ rule }) => rule)).not.toContain('scope-wider');
  });

  test('what a holder added before it was refused is still found', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'one', acceptance: ['It stands.'] }, { as: ada });
    await leg.checkpoint();
    const state = await leg.state();
    const sealed = sealContract({ v: 1, title: 'one', goal: 'one', acceptance: ['It stands.', 'It flies.'] });
    await record(at.context, {
      task: leg.task,
      call: { by: ada },
      request: null,
      prepare: () => ({
        // As a version wrote it that did not hold added criteria for growth.
        command: {
          type: 'amend',
          contract: sealed.digest,
          terms: state.terms,
          why: 'x',
          widenings: [],
          generation: 1,
        },
        blobs: [sealed.bytes],
      }),
    });
    const { findings } = await judgeDraft(at.context, leg.task, {}, { by: ada });
    expect(findings.map(({ rule }) => rule)).toContain('scope-wider');
  });

  test('repeated with its key it changes nothing more, although the contract is another by now', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'one' }, { as: ada });
    const first = await amend(at.context, leg.task, adding('Use oak.'), { by: eve, key: 'oak' });
    const again = await amend(at.context, leg.task, adding('Use oak.'), { by: eve, key: 'oak' });
    expect(again.repeated).toBe(true);
    expect(again.state.contract).toBe(first.state.contract);
  });

  test('an amendment that changes nothing is refused', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'one' }, { as: ada });
    const same: Amendment = { change: (contract) => contract, asked: 'same', why: 'x' };
    await expect(amend(at.context, leg.task, same, { by: eve })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });

  test('needs that lead back to the task are refused, through however many others', async () => {
    const at = stage();
    const a = await at.staffetta.open({ goal: 'a' }, { as: eve });
    const b = await at.staffetta.open({ goal: 'b', needs: [a.task] }, { as: eve });
    const c = await at.staffetta.open({ goal: 'c', needs: [b.task] }, { as: eve });
    const cyclic: Amendment = {
      change: (contract) => ({ ...contract, needs: [c.task] }),
      asked: c.task,
      why: 'x',
    };
    await expect(amend(at.context, a.task, cyclic, { by: eve })).rejects.toMatchObject({
      code: 'needs-cycle',
    });
    expect((await at.staffetta.show(a.task)).unmet).toEqual([]);
  });

  test('what was submitted before can no longer be approved', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'one', review: { human: true } }, { as: ada });
    const { state } = await leg.submit();
    await amend(at.context, leg.task, adding('Use oak.'), { by: eve });
    const verdict = at.staffetta.review(leg.task, { approve: true, packet: state.packet }, { as: eve });
    await expect(verdict).rejects.toMatchObject({ code: 'review-stale' });
  });
});
