#ifndef AISLE_GATE_H
#define AISLE_GATE_H

/// Between these two a thread may hold locks and change what threads share; a fork waits until no thread is there, so that a child never
/// inherits a lock that nobody is left to open. They cost an atomic operation each. They do not nest.
void aisle_gate_enter(void);
void aisle_gate_leave(void);

#endif
