/** What agents of the cases do in a turn, whichever way they speak. What is returned is why they could not go on. */
const permissions = ['read', 'edit', 'execute', 'network', 'outside'];
const pause = async () => await new Promise((go) => setTimeout(go, 5));

const works = async (own) => void own.say('Done.');

export const manners = {
  works,
  forgets: works,
  'never-looks': works,
  fails: async (own) => void own.say('429: too many requests'),
  refuses: async () => 'The model could not be reached.',
  exits: async () => process.exit(7),
  'hangs-up': async (own) => {
    own.hangUp?.();
    await new Promise((go) => setInterval(go, 2 ** 30));
  },
  deaf: async () => await new Promise((go) => setInterval(go, 2 ** 30)),
  asks: async (own) => {
    const word = await own.may('execute', 'make notes');
    own.note({ what: 'answer', word });
    if (word !== 'no') own.note({ what: 'did', word: 'execute' });
  },
  acts: async (own) => {
    for (const permission of permissions)
      if ((await own.may(permission, permission)) !== 'no') own.note({ what: 'did', word: permission });
  },
  floods: async (own) => {
    for (let i = 0; i < 20_000; i += 1) own.say(`word ${i}`);
    while (!own.isLetGo()) await pause();
  },
  babbles: async (own) => {
    own.say('before');
    own.garbage?.();
    own.strange?.();
    own.long?.();
    own.say('afterwards');
  },
  leaves: async (own) => await own.leave(),
};
