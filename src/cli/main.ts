process.stdout.write('staffetta\n');
