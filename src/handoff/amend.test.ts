import { describe, expect, test } from 'vitest';
import { ada, eve, stage } from '../../test/support/world.ts';
import type { Contract } from '../core/contract.ts';
import { amend, type Amendment } from './amend.ts';
import { readContract } from './history.ts';

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
