-- How fast each entry of a list ran, summed up once; and the nights whose cycle counts were accepted.
CREATE TABLE throughput (
    night INTEGER NOT NULL REFERENCES nights ON DELETE CASCADE,
    simulator TEXT NOT NULL,
    build TEXT NOT NULL,
    machine TEXT NOT NULL,
    entry TEXT NOT NULL,
    programs INTEGER NOT NULL,
    cycles INTEGER NOT NULL,
    simulation_cpu REAL NOT NULL,         -- seconds, above 0
    PRIMARY KEY (night, simulator, build, machine, entry)
) WITHOUT ROWID;
CREATE INDEX throughput_by_entry ON throughput (machine, entry, simulator, build, night);

INSERT INTO throughput
SELECT night, simulator, build, machine, entry, sum(programs), sum(cycles), sum(simulation_cpu)
FROM jobs
WHERE status = 'passed' AND simulation_cpu > 0 AND cycles > 0
GROUP BY night, simulator, build, machine, entry;

CREATE TABLE accepted_cycles (
    night INTEGER PRIMARY KEY REFERENCES nights ON DELETE CASCADE,
    reason TEXT NOT NULL
);
