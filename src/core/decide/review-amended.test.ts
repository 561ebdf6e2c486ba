import { expect, test } from 'vitest';
import { contractB, packetA, Play, terms } from '../../../test/support/play.ts';
import { ada, eve, quinn } from '../../../test/support/world.ts';

const reviewed = { terms: terms({ review: { owner: 'lane:audit' } }) };

/** Work whose contract was amended after it was submitted. */
function amended(): Play {
  const play = new Play().begin(ada, reviewed).submit(ada);
  play.run(eve, { type: 'amend', contract: contractB, ...reviewed, why: 'The river rose.' });
  return play;
}

test('a reviewer who looked at the contract as it was amended can judge the work under it', () => {
  const looked = { packet: packetA, contract: contractB };
  const [approved] = amended().run(quinn, { type: 'approve', ...looked });
  expect(approved).toMatchObject({ type: 'review-approved', contract: contractB });
  const findings = [{ text: 'A gap.' }];
  expect(amended().run(quinn, { type: 'send-back', ...looked, findings })).not.toEqual([]);
});
