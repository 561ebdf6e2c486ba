import type { GateRule } from '../rule.ts';

/** A person may also be named before the question. */
const forPerson =
  /^(?:(?:a |the )?(?:human|person|user|owner|reviewer|maintainer)|(?:human|person|user):[^\s:]+):\s+\S/i;

export const questionOwner: GateRule = {
  id: 'question-owner',
  title: 'Every open question says who should answer it',
  about: 'claims',
  check: ({ packet }) =>
    (packet.claims.questions ?? []).flatMap((question, i) =>
      question.owner !== undefined || forPerson.test(question.text)
        ? []
        : [
            {
              path: `claims.questions[${i}].owner`,
              text: `Nobody is named to answer "${question.text.slice(0, 60)}".`,
              fix: 'Say who answers: an agent, or a person.',
            },
          ],
    ),
};
