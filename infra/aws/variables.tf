variable "name" {
  description = "Names everything that is made: the bucket, the queues, the function."
  type        = string
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{2,30}$", var.name))
    error_message = "Give 3 to 31 lower-case letters, digits or hyphens, a letter first."
  }
}

variable "prefix" {
  description = "The store lies below this prefix of the bucket."
  type        = string
  default     = "relay"
  validation {
    condition     = can(regex("^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$", var.prefix))
    error_message = "Give letters, digits and . _ - with slashes between."
  }
}

variable "agents" {
  description = "Agents that have a queue of their own, by name."
  type        = set(string)
  default     = []
  validation {
    condition     = alltrue([for agent in var.agents : can(regex("^[A-Za-z0-9_-]{1,40}$", agent))])
    error_message = "A queue can be named after letters, digits, _ and - only."
  }
}

variable "runtimes" {
  description = "Programs that have a queue of their own, where work is offered to a program and not to an agent: codex, claude-code."
  type        = set(string)
  default     = []
  validation {
    condition     = alltrue([for runtime in var.runtimes : can(regex("^[a-z0-9-]{1,40}$", runtime))])
    error_message = "Give the names of programs, as staffetta doctor shows them."
  }
}

variable "runtime" {
  description = "Of the function. Providers before 6 refuse nodejs24.x."
  type        = string
  default     = "nodejs22.x"
}

variable "offer_wait_seconds" {
  description = "An alarm rings when work has waited to be taken for longer."
  type        = number
  default     = 3600
}

variable "alarm_actions" {
  description = "ARNs that are told of alarms, such as an SNS topic."
  type        = list(string)
  default     = []
}

variable "noncurrent_days" {
  description = "How long versions of objects that were replaced or deleted are kept. Not heads and hints, which are written often: one day."
  type        = number
  default     = 30
}
