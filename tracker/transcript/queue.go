package transcript

// queue follows Claude's own queue of prompts through the queue-operation records. It also holds
// notices of the harness, which are not shown but take part in the order.
//
// A dequeue does not say what it took. The head is assumed, and put right when the delivered
// prompt turns out to be another one.
type queue struct {
	items []string
	taken *string // removed by a dequeue and not seen delivered yet
}

// operate applies one queue-operation. It returns the prompt that the running turn absorbed, where
// this line is all that tells of it: 2.0.76 writes a bare "remove" and nothing else.
func (q *queue) operate(operation, content string) (absorbed string) {
	switch operation {
	case "enqueue":
		q.items = append(q.items, content)
		if len(q.items) > maxQueued {
			q.items = q.items[len(q.items)-maxQueued:]
		}
	case "dequeue", "remove":
		if content != "" {
			q.remove(content)
		} else if len(q.items) > 0 {
			head := q.items[0]
			q.items, q.taken = q.items[1:], &head
			if operation == "remove" && !machineText(head) {
				return head
			}
		}
	case "popAll": // once per item, with its text; a form without text empties the queue
		if content != "" {
			q.remove(content)
		} else {
			q.clear()
		}
	}
	return ""
}

// delivered says that this text reached the model, as a turn of its own or inside a running one.
func (q *queue) delivered(text string) {
	taken := q.taken
	q.taken = nil
	if taken != nil && *taken == text {
		return
	}
	if q.remove(text) && taken != nil {
		q.items = append([]string{*taken}, q.items...)
	}
}

// remove drops the first item with this text and reports whether there was one.
func (q *queue) remove(text string) bool {
	for i, it := range q.items {
		if it == text {
			q.items = append(q.items[:i:i], q.items[i+1:]...)
			return true
		}
	}
	return false
}

func (q *queue) clear() { q.items, q.taken = nil, nil }

// prompts are the queued texts a person wrote, in order, as labels.
func (q *queue) prompts() []string {
	var out []string
	for _, it := range q.items {
		if it != "" && !machineText(it) {
			out = append(out, label(it))
		}
	}
	return out
}
